import { join } from 'node:path';
import { writeVsix } from './vsix.ts';

/** The one tool of the toy extension. */
export const toyTool = 'toy__echo';

/**
 * Writes the VSIX of a tiny extension that declares a tool, registers it and asks for confirmation: what the rig is tested with. It also declares
 * one proposed API and exports whether the editor let it use that one. Resolves with the file.
 */
export async function writeToyExtension(folder: string): Promise<string> {
  const file = join(folder, 'toy.vsix');
  await writeVsix(file, {
    'package.json': JSON.stringify({
      name: 'toy',
      displayName: 'Toy',
      publisher: 'mcp-bridge-test',
      version: '1.0.0',
      engines: { vscode: '^1.106.0' },
      main: './extension.js',
      activationEvents: ['*'],
      enabledApiProposals: ['fileSearchProvider'],
      contributes: {
        languageModelTools: [
          {
            name: toyTool,
            toolReferenceName: toyTool,
            displayName: 'Echo',
            modelDescription: 'Returns the message it is given.',
            canBeReferencedInPrompt: true,
            inputSchema: {
              type: 'object',
              properties: { message: { type: 'string' } },
              required: ['message'],
            },
          },
        ],
      },
    }),
    'extension.js': source,
  });
  return file;
}

const source = `
const vscode = require('vscode');
exports.activate = (context) => {
  context.subscriptions.push(
    vscode.lm.registerTool('${toyTool}', {
      prepareInvocation: () => ({
        confirmationMessages: { title: 'Run echo of Toy?', message: 'Toy returns the message.' },
      }),
      invoke: ({ input }) =>
        new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart('Echo: ' + input.message)]),
    }),
  );
  try {
    vscode.workspace.registerFileSearchProvider('toy', { provideFileSearchResults: () => [] }).dispose();
    return { proposal: 'allowed' };
  } catch (error) {
    return { proposal: String(error) };
  }
};
`;
