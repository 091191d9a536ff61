import type { PageCall, PageTool, ToPage } from '../core/toolPage/pageState.ts';
import type { PageRequest } from '../core/toolPage/pageRequest.ts';
import { ArgumentForm } from './argumentForm.ts';
import { definitionView } from './definitionView.ts';
import { button, element } from './elements.ts';
import { resultView } from './resultView.ts';

declare function acquireVsCodeApi(): { postMessage(message: PageRequest): void };

const editor = acquireVsCodeApi();
const definition = element('div');
const formPlace = element('div');
const status = element('p', { role: 'status' });
const result = element('div');
const history = element('ul');
const run = button('Run', start);
const cancel = button('Cancel', () => tell({ type: 'cancel' }));
const copyArguments = button('Copy Arguments as JSON', () => {
  const read = form.read();
  if ('json' in read) copy(read.json);
  else status.textContent = read.problem;
});
let form = new ArgumentForm([]);
let fields = '';
let isRunning = false;
let blocked = '';

function tell(request: PageRequest): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the editor's own has no such argument
  editor.postMessage(request);
}

function copy(text: string): void {
  tell({ type: 'copy', text });
}

function start(): void {
  const read = form.read();
  if ('problem' in read) {
    status.textContent = read.problem;
    return;
  }
  isRunning = true;
  status.textContent = 'Running…';
  result.replaceChildren();
  showButtons();
  tell({ type: 'run', arguments: read.json });
}

function showButtons(): void {
  run.disabled = isRunning || blocked !== '';
  cancel.disabled = !isRunning;
}

function showTool(tool: PageTool): void {
  definition.replaceChildren(definitionView(tool));
  run.textContent = tool.runLabel;
  const changed = JSON.stringify(tool.fields);
  // What the person has typed stays while the form is the same.
  if (changed !== fields || formPlace.childElementCount === 0) {
    fields = changed;
    form = new ArgumentForm(tool.fields);
    formPlace.replaceChildren(form.root);
  }
  if (blocked !== tool.blocked) status.textContent = tool.blocked;
  blocked = tool.blocked;
  showButtons();
}

function showCalls(calls: readonly PageCall[]): void {
  const items = calls.map((call) => {
    const label = `${call.time}: ${call.outcome}, ${call.milliseconds} ms`;
    const again = button(label, () => {
      form.write(call.arguments);
      if (!isRunning) status.textContent = `Call of ${label}.`;
      result.replaceChildren(resultView(call, copy));
    });
    return element('li', {}, again);
  });
  history.replaceChildren(...items);
}

function showDone(calls: readonly PageCall[]): void {
  isRunning = false;
  const [last] = calls;
  showCalls(calls);
  showButtons();
  if (last === undefined) return;
  status.textContent = `Ended: ${last.outcome}, ${last.milliseconds} ms.`;
  result.replaceChildren(resultView(last, copy));
}

window.addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
  if (data.type === 'tool') {
    showTool(data.tool);
    showCalls(data.calls);
  } else if (data.type === 'progress') {
    if (isRunning) status.textContent = `Running… ${data.text}`;
  } else showDone(data.calls);
});

document
  .getElementById('page')
  ?.append(
    definition,
    element('h2', {}, 'Run'),
    formPlace,
    element('div', { class: 'buttons' }, run, cancel, copyArguments),
    status,
    element('h2', {}, 'Result'),
    result,
    element('h2', {}, 'Calls from this page'),
    history,
  );
showButtons();
tell({ type: 'ready' });
