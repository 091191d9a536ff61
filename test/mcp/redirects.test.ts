import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { listen } from '../servers/listen.ts';
import { startScripted } from '../servers/scriptedHttp.ts';
import { open, openFailure, toolNames } from '../support/sessions.ts';

const launchAt = (url: string) => ({ type: 'http', url, headers: { 'x-key': 'secret' } }) as const;

/** A server that sends everything on, and what then comes to the address it names. */
async function redirecting(status: number, hops: number) {
  const target = await startScripted({});
  const { port } = new URL(target.url);
  const forwarded: string[] = [];
  // The end of the row passes on to a real server.
  const passOn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    forwarded.push(`${request.method} ${body === '' ? 'nothing' : 'a body'}`);
    const { method = 'GET', headers } = request;
    const answer = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method,
      headers: { 'content-type': headers['content-type'] ?? 'text/plain' },
      ...(method === 'POST' && { body }),
    });
    const type = answer.headers.get('content-type') ?? 'text/plain';
    response.writeHead(answer.status, { 'content-type': type }).end(await answer.text());
  };
  const server = await listen((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const step = Number(/^\/hop(\d+)$/.exec(pathname)?.[1] ?? 0);
    if (step < hops) {
      response.writeHead(status, { location: `/hop${step + 1}` }).end();
      return;
    }
    passOn(request, response).catch(() => response.destroy());
  });
  return {
    url: server.url,
    forwarded,
    async [Symbol.asyncDispose]() {
      await Promise.all([server[Symbol.asyncDispose](), target[Symbol.asyncDispose]()]);
    },
  };
}

for (const status of [307, 308]) {
  test(`HTTP ${status} within the server keeps method and body, five times`, async () => {
    await using server = await redirecting(status, 5);
    await using session = await open(launchAt(server.url), { protocol: 'legacy' });
    assert.deepEqual(await toolNames(session), ['echo']);
    const posts = server.forwarded.filter((line) => line.startsWith('POST'));
    assert.ok(posts.length >= 3 && posts.every((line) => line === 'POST a body'));
  });
}

test('a sixth redirect is one too many', async () => {
  await using server = await redirecting(307, 6);
  const { message } = await openFailure(launchAt(server.url), { protocol: 'legacy' });
  assert.match(message, /redirect \(HTTP 307\) that is not followed/);
  assert.deepEqual(server.forwarded, []);
});

for (const status of [301, 302, 303]) {
  test(`HTTP ${status} does not make another request of a POST`, async () => {
    await using server = await redirecting(status, 1);
    const { message } = await openFailure(launchAt(server.url), { protocol: 'legacy' });
    assert.match(message, /redirect .* that is not followed/);
    assert.deepEqual(
      server.forwarded.filter((line) => line.startsWith('POST')),
      [],
    );
  });
}

test('T20 nothing is sent to another server, least of all the headers', async () => {
  await using other = await listen((_request, response) => response.end());
  for (const status of [301, 302, 303, 307, 308]) {
    await using server = await listen((_request, response) => {
      response.writeHead(status, { location: other.url }).end();
    });
    for (const type of ['http', 'sse'] as const) {
      const { message } = await openFailure({ ...launchAt(server.url), type });
      assert.match(message, /redirect|Redirect/);
    }
  }
  assert.deepEqual(other.requests, []);
});
