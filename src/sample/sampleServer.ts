import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

/** Most notes that are kept. */
const maxNotes = 1000;

const notes = new Map<string, string>();
const textResult = (text: string) => ({ content: [{ type: 'text' as const, text }] });

/** The server that comes with the extension, to try it out: its notes live for as long as it runs. */
function createServer(): McpServer {
  const server = new McpServer({ name: 'mcp-bridge-sample', version: '1.0.0' });
  server.registerTool(
    'roll_dice',
    {
      title: 'Roll Dice',
      description: 'Rolls dice and gives each number and their sum.',
      inputSchema: z.object({
        count: z.int().min(1).max(20).default(1).describe('How many dice'),
        sides: z.int().min(2).max(1000).default(6).describe('How many sides each has'),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ count, sides }) => {
      const rolls = Array.from({ length: count }, () => 1 + Math.floor(Math.random() * sides));
      const sum = rolls.reduce((total, roll) => total + roll, 0);
      return textResult(`Rolled ${rolls.join(', ')}; the sum is ${sum}.`);
    },
  );

  server.registerTool(
    'write_note',
    {
      title: 'Write Note',
      description: 'Keeps a note under a title; an older one with that title is replaced.',
      inputSchema: z.object({
        title: z.string().min(1).max(100),
        text: z.string().max(10_000),
      }),
      annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    ({ title, text }) => {
      if (notes.size >= maxNotes && !notes.has(title)) {
        return {
          ...textResult(`There are ${maxNotes} notes already. Delete some first.`),
          isError: true,
        };
      }
      notes.set(title, text);
      return textResult(`The note "${title}" is kept. There are ${notes.size} notes.`);
    },
  );

  server.registerTool(
    'list_notes',
    {
      title: 'List Notes',
      description: 'Gives the titles and texts of all notes.',
      inputSchema: z.object({}),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    () =>
      textResult(
        [...notes].map(([title, text]) => `${title}: ${text}`).join('\n') || 'There are no notes.',
      ),
  );

  server.registerTool(
    'delete_all_notes',
    {
      title: 'Delete All Notes',
      description: 'Deletes every note.',
      inputSchema: z.object({}),
      annotations: { destructiveHint: true, openWorldHint: false },
    },
    () => {
      const count = notes.size;
      notes.clear();
      return textResult(`${count} notes were deleted.`);
    },
  );
  return server;
}

serveStdio(createServer);
