// Runs its tools as tasks, as 2025-11-25 has it; with "modern" as argument, as the extension of 2026-07-28 does.
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { anyTool, noAnswer, RpcError, serve, textResult, type Params } from './jsonRpc.ts';

const isModern = process.argv[2] === 'modern';
const hasTasks = process.argv[2] !== 'none';
const complete = isModern ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
const log: unknown[] = [];
let polls = 0;
let kind = '';
let answer: unknown;
let isCancelled = false;

const task = (status: string, members: Params = {}): Params => ({
  taskId: 't1',
  status,
  createdAt: '2026-01-01T00:00:00Z',
  lastUpdatedAt: `2026-01-01T00:00:0${kind === 'stuck' ? 0 : Math.min(polls, 9)}Z`,
  ...(isModern ? { ttlMs: null, pollIntervalMs: 1 } : { ttl: null, pollInterval: 1 }),
  ...members,
});
const question = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Which?',
    requestedSchema: { type: 'object', properties: { text: { type: 'string' } } },
  },
};

function state(): Params {
  if (isCancelled) return task('cancelled');
  const said = { statusMessage: `step ${polls}` };
  if (kind === 'stuck' || kind === 'busy') return task('working', kind === 'busy' ? said : {});
  if (polls < 3) return task('working', said);
  if (kind === 'asks' && answer === undefined) {
    return task('input_required', isModern ? { inputRequests: { q: question } } : {});
  }
  if (kind === 'fails') {
    const error = { code: -32_603, message: 'the oven is cold' };
    return task('failed', isModern ? { error } : { statusMessage: 'the oven is cold' });
  }
  if (kind === 'dropped') return task('cancelled', { statusMessage: 'out of flour' });
  return task('completed', isModern ? { result: result() } : {});
}

function result(): Params {
  return { ...textResult(`done ${JSON.stringify(answer ?? null)}`), _meta: { 'test/kept': true } };
}

const names = ['works', 'asks', 'fails', 'dropped', 'stuck', 'busy'];

const notify = serve({
  capabilities: {
    tools: {},
    ...(hasTasks && !isModern && { tasks: { cancel: {}, requests: { tools: { call: {} } } } }),
  },
  requests: {
    ...(isModern && {
      initialize: () => {
        throw new RpcError(-32_022, 'Unsupported protocol version');
      },
      'server/discover': () => ({
        ...complete,
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
      }),
    }),
    'tools/list': () => ({
      ...complete,
      tools: [
        ...names.map((name) => ({ ...anyTool(name), execution: { taskSupport: 'required' } })),
        { ...anyTool('log'), execution: { taskSupport: 'optional' } },
      ],
    }),
    'tools/call': (params, { progressToken }) => {
      if (params['name'] === 'log') {
        return {
          ...complete,
          content: [],
          structuredContent: { log, plain: params['task'] === undefined },
        };
      }
      if (!isModern && (params['task'] === undefined || !hasTasks)) {
        throw new RpcError(-32_601, 'this tool requires a task');
      }
      kind = String(params['name']);
      polls = 0;
      log.push(['tools/call', params]);
      if (kind === 'works')
        notify('notifications/progress', { progressToken, progress: 1, total: 4 });
      return isModern ? { resultType: 'task', ...task('working') } : { task: task('working') };
    },
    'tasks/get': () => {
      polls += 1;
      return { ...complete, ...state() };
    },
    'tasks/result': async () => {
      log.push(['tasks/result', kind]);
      if (kind === 'asks' && answer === undefined) {
        const related = { 'io.modelcontextprotocol/related-task': { taskId: 't1' } };
        process.stdout.write(
          `${JSON.stringify({ jsonrpc: '2.0', id: 'q', ...question, params: { ...question.params, _meta: related } })}\n`,
        );
        for (;;) {
          await pause(5);
          if (answer !== undefined) return result();
        }
      }
      if (kind === 'fails') throw new RpcError(-32_603, 'internal');
      return isCancelled ? noAnswer : result();
    },
    'tasks/update': ({ inputResponses }) => {
      log.push(['tasks/update', inputResponses]);
      answer = (inputResponses as Params)['q'];
      return { resultType: 'complete' };
    },
    'tasks/cancel': ({ taskId }) => {
      log.push(['tasks/cancel', taskId]);
      isCancelled = true;
      return { ...complete, ...task('cancelled') };
    },
  },
  answers: (id, value) => {
    if (id === 'q') answer = value;
  },
});
