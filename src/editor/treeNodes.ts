import type { InvalidServer } from '../core/settings/parseSettings.ts';
import type { Problem } from '../core/problem.ts';
import { contentGroups, contentNodeId, groupChildren, type ContentNode } from './contentNodes.ts';
import type { CatalogServer, CatalogTool, ToolCatalog } from '../core/tools/toolCatalog.ts';

/** What a row of the servers view stands for. Commands of a row get its node as argument. */
export type TreeNode =
  | { readonly kind: 'server'; readonly server: CatalogServer }
  | { readonly kind: 'invalid'; readonly invalid: InvalidServer }
  | { readonly kind: 'tools'; readonly server: CatalogServer }
  | {
      readonly kind: 'problems';
      readonly server: CatalogServer;
      readonly problems: readonly Problem[];
    }
  | { readonly kind: 'tool'; readonly tool: CatalogTool }
  | ContentNode
  | { readonly kind: 'shortage'; readonly shortage: NonNullable<ToolCatalog['shortage']> }
  | { readonly kind: 'problem'; readonly id: string; readonly problem: Problem };

/** Stable identity of a row, so that selection and expansion survive a refresh. */
export function nodeId(node: TreeNode): string {
  switch (node.kind) {
    case 'server':
      return `server:${node.server.server.configuration.id}`;
    case 'invalid':
      return `server:${node.invalid.id}`;
    case 'tools':
    case 'problems':
      return `${node.kind}:${node.server.server.configuration.id}`;
    case 'tool':
      return `tool:${node.tool.configuration.id}:${node.tool.definition.name}`;
    case 'shortage':
      return 'shortage';
    case 'problem':
      return `problem:${node.id}`;
    default:
      return contentNodeId(node);
  }
}

/** The rows below a row; lists are only made when a row is opened. */
export function childNodes(node: TreeNode): TreeNode[] {
  switch (node.kind) {
    case 'server': {
      const { server, tools, problems } = node.server;
      const { state } = server;
      const failure = state.kind === 'error' ? [{ where: state.code, message: state.message }] : [];
      const all = [...failure, ...problems];
      return [
        ...(all.length > 0
          ? [{ kind: 'problems', server: node.server, problems: all } as const]
          : []),
        ...(tools.length > 0 ? [{ kind: 'tools', server: node.server } as const] : []),
        ...contentGroups(server),
      ];
    }
    case 'problems':
      return node.problems.map((problem, index) =>
        problemNode(problem, node.server.server.configuration.id, index),
      );
    case 'tools':
      return node.server.tools.map((tool): TreeNode => ({ kind: 'tool', tool }));
    case 'invalid':
      return node.invalid.problems.map((problem, index) =>
        problemNode(problem, node.invalid.id, index),
      );
    case 'resources':
    case 'prompts': {
      const { problems, nodes } = groupChildren(node);
      const id = nodeId(node);
      return [...problems.map((problem, index) => problemNode(problem, id, index)), ...nodes];
    }
    default:
      return [];
  }
}

export function problemNode(problem: Problem, parent: string, index: number): TreeNode {
  return { kind: 'problem', id: `${parent}:${index}`, problem };
}

/** Whether a command was called on a row of that kind. */
export function isNode<K extends TreeNode['kind']>(
  value: unknown,
  kind: K,
): value is Extract<TreeNode, { kind: K }> {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind;
}
