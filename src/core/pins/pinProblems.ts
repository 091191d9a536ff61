import type { Problem } from '../problem.ts';
import type { McpServer } from '../servers/mcpServers.ts';
import { flagsOf, flagsOfInstructions, type Flag } from './flags.ts';
import type { ServerPins } from './serverPins.ts';
import { pinOfInstructions } from './toolPin.ts';

/** Most conspicuous tools named. */
const maxNamed = 20;

/** What a server says of itself now; `undefined` while it does not run or says nothing. */
export function instructionsOf({ state }: McpServer): string | undefined {
  return state.kind === 'running' ? state.instructions : undefined;
}

/** Whether a server says something else of itself than what was accepted. */
function areInstructionsChanged(server: McpServer, pins: ServerPins | undefined): boolean {
  const instructions = instructionsOf(server);
  return (
    pins?.instructions !== undefined &&
    instructions !== undefined &&
    pinOfInstructions(instructions) !== pins.instructions
  );
}

/** What of a server's words a person should look at. */
export function pinProblems(server: McpServer, pins: ServerPins | undefined): Problem[] {
  const instructions = instructionsOf(server) ?? '';
  return [
    ...(areInstructionsChanged(server, pins)
      ? [
          {
            where: 'instructions',
            message:
              'What the server says of itself has changed since it was accepted. Agents do not get that text from MCP Bridge; review it.',
          },
        ]
      : []),
    ...flagsOfInstructions(instructions).map((flag) => problemOf('instructions', flag)),
    ...(server.tools?.tools ?? [])
      .filter((tool) => flagsOf(tool).length > 0)
      .slice(0, maxNamed)
      .map((tool): Problem => {
        const what = [...new Set(flagsOf(tool).map((flag) => flag.what))].join('; ');
        return {
          where: tool.name,
          message: `Conspicuous in the definition of "${tool.name.slice(0, 64)}": ${what}. Read it before you let agents use it.`,
        };
      }),
  ];
}

function problemOf(where: string, { what }: Flag): Problem {
  return { where, message: `Conspicuous in what the server says of itself: ${what}.` };
}
