// The model of `npm start`: no language model at all, just three rules, and it says so.
'use strict';

const help =
  'I am a scripted stand-in for a language model: I follow rules, I understand nothing. Write "call <tool> {json}" to have me call a tool, ' +
  '"echo <text>" to call an echo tool, or "tools" to list what this window offers me.';

/** The answer to the last message, given what the editor offers: a tool call, or text. */
function demoAnswer(messages, tools) {
  const last = messages.at(-1);
  const results = last?.toolResults ?? [];
  if (results.length > 0) {
    return [
      { text: `The tool answered:\n\n${results.map((result) => quote(result)).join('\n\n')}` },
    ];
  }
  const request = userRequest(messages);
  if (/^tools\b/i.test(request)) {
    return [
      {
        text: `This window offers me ${tools.length} tools:\n\n${tools.map(({ name }) => `- \`${name}\``).join('\n')}`,
      },
    ];
  }
  const call = /^call\s+(\S+)\s*(\{[\s\S]*\})?\s*$/i.exec(request);
  if (call) return callTool(call[1], call[2] ?? '{}', tools);
  const echo = /^echo\s+([\s\S]+)$/i.exec(request);
  if (echo) {
    const tool = tools.find(({ name }) => /(^|_)echo$/i.test(name));
    if (!tool) return [{ text: 'No tool whose name ends in "echo" is offered to me.' }];
    const parameter = Object.keys(tool.inputSchema?.properties ?? {})[0] ?? 'message';
    return [{ toolCall: { name: tool.name, input: { [parameter]: echo[1].trim() } } }];
  }
  return [{ text: help }];
}

function callTool(wanted, json, tools) {
  const tool =
    tools.find(({ name }) => name === wanted) ??
    tools.find(({ name }) => name.endsWith(`__${wanted}`));
  if (!tool)
    return [{ text: `No tool named "${wanted}" is offered to me. Write "tools" for the list.` }];
  try {
    return [{ toolCall: { name: tool.name, input: JSON.parse(json) } }];
  } catch (error) {
    return [{ text: `The arguments are no JSON: ${error.message}` }];
  }
}

/** What the person typed: the agent wraps it in <userRequest> tags and adds context around it. */
function userRequest(messages) {
  const text = messages.findLast(({ role }) => role === 'user')?.text ?? '';
  const wrapped = [...text.matchAll(/<userRequest>\s*([\s\S]*?)\s*<\/userRequest>/g)].at(-1);
  return (wrapped ? wrapped[1] : text).trim();
}

function quote({ text, data }) {
  const lines = text === '' ? [] : text.split('\n').map((line) => `> ${line}`);
  for (const { mimeType, bytes } of data) lines.push(`> [${mimeType}, ${bytes} bytes]`);
  return lines.join('\n');
}

module.exports = { demoAnswer };
