import type { Problem } from '../core/problem.ts';
import type { PromptDefinition } from '../core/prompts/promptDefinition.ts';
import type {
  ResourceDefinition,
  ResourceTemplateDefinition,
} from '../core/resources/resourceDefinition.ts';
import type { McpServer } from '../core/servers/mcpServers.ts';
import type { ServerConfiguration } from '../core/settings/serverConfiguration.ts';

/** Rows for what a server has besides tools. */
export type ContentNode =
  | { readonly kind: 'resources' | 'prompts'; readonly server: McpServer }
  | {
      readonly kind: 'resource';
      readonly configuration: ServerConfiguration;
      readonly resource: ResourceDefinition;
    }
  | {
      readonly kind: 'resourceTemplate';
      readonly configuration: ServerConfiguration;
      readonly template: ResourceTemplateDefinition;
    }
  | {
      readonly kind: 'prompt';
      readonly configuration: ServerConfiguration;
      readonly prompt: PromptDefinition;
    };

/** The group rows of a server: only those with something below them. */
export function contentGroups(server: McpServer): ContentNode[] {
  const groups: ContentNode[] = [];
  if (server.resources !== undefined) groups.push({ kind: 'resources', server });
  if (server.prompts !== undefined) groups.push({ kind: 'prompts', server });
  return groups;
}

export function resourceNodes({ configuration, resources }: McpServer): ContentNode[] {
  return [
    ...(resources?.resources ?? []).map((resource): ContentNode => ({
      kind: 'resource',
      configuration,
      resource,
    })),
    ...(resources?.templates ?? []).map((template): ContentNode => ({
      kind: 'resourceTemplate',
      configuration,
      template,
    })),
  ];
}

export function promptNodes({ configuration, prompts }: McpServer): ContentNode[] {
  return (prompts?.prompts ?? []).map((prompt) => ({ kind: 'prompt', configuration, prompt }));
}

/** What is below a group row. */
export function groupChildren({ kind, server }: Extract<ContentNode, { server: unknown }>): {
  readonly problems: readonly Problem[];
  readonly nodes: readonly ContentNode[];
} {
  return kind === 'resources'
    ? { problems: server.resources?.problems ?? [], nodes: resourceNodes(server) }
    : { problems: server.prompts?.problems ?? [], nodes: promptNodes(server) };
}

/** Stable identity of a row. */
export function contentNodeId(node: ContentNode): string {
  switch (node.kind) {
    case 'resources':
    case 'prompts':
      return `${node.kind}:${node.server.configuration.id}`;
    case 'resource':
      return `resource:${node.configuration.id}:${node.resource.uri}`;
    case 'resourceTemplate':
      return `resourceTemplate:${node.configuration.id}:${node.template.uriTemplate}`;
    case 'prompt':
      return `prompt:${node.configuration.id}:${node.prompt.name}`;
  }
}
