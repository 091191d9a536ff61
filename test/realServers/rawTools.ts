import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';
import type { StdioLaunch } from '../../src/core/settings/serverConfiguration.ts';

/** A member of `tools/list` as it came over the wire. */
const rawTool = z.looseObject({ name: z.string() });
const page = z.looseObject({ tools: z.array(rawTool), nextCursor: z.string().optional() });

export type RawTool = z.infer<typeof rawTool>;

/** A server may register more tools just after the handshake: read again until two lists are the same. */
const settleMs = 700;
const maxReadings = 8;

/** The tools of a server as a plain client of the official SDK sees them. The process is gone when this settles. */
export async function rawTools(launch: StdioLaunch, signal: AbortSignal): Promise<RawTool[]> {
  const client = new Client(
    { name: 'raw', version: '0.0.0' },
    {
      // Some servers have more tools for clients that can do more.
      capabilities: {
        roots: { listChanged: true },
        elicitation: { form: {}, url: {} },
        sampling: {},
      },
    },
  );
  const { command, args, cwd, env } = launch;
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? ''])),
    stderr: 'ignore',
    ...(cwd !== undefined && { cwd }),
  });
  try {
    return await Promise.race([settledTools(client, transport, signal), abortOf(signal)]);
  } finally {
    await client.close();
    await transport.close();
  }
}

async function settledTools(
  client: Client,
  transport: StdioClientTransport,
  signal: AbortSignal,
): Promise<RawTool[]> {
  await client.connect(transport);
  let tools = await allTools(client);
  for (let reading = 1; reading < maxReadings; reading++) {
    await pause(settleMs, undefined, { signal });
    const again = await allTools(client);
    if (again.length === tools.length) return again;
    tools = again;
  }
  return tools;
}

async function allTools(client: Client): Promise<RawTool[]> {
  const tools: RawTool[] = [];
  let cursor: string | undefined;
  do {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: 'tools/list', params }, page);
    tools.push(...answer.tools);
    cursor = answer.nextCursor;
  } while (cursor !== undefined && cursor !== '' && tools.length < 10_000);
  return tools;
}

/** Rejects when the signal aborts. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
