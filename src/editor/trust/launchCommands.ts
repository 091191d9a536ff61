import { commandIds } from '../contributionIds.ts';
import { isNode } from '../treeNodes.ts';
import type { LaunchReview } from './launchReview.ts';

/** The commands about launches of workspace servers, by id. */
export function launchHandlers(
  launches: () => LaunchReview | undefined,
): Readonly<Record<string, (argument: unknown) => Promise<void>>> {
  return {
    [commandIds.reviewLaunches]: async () => launches()?.reviewAll(),
    [commandIds.revokeLaunch]: async (node) => {
      if (isNode(node, 'server')) await launches()?.revoke(node.server.server.configuration);
    },
  };
}
