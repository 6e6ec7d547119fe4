#!/usr/bin/env node
// An OpenAI-compatible chat endpoint on loopback that waits for hand-written answers.
//   node relay.mjs <folder> [port]
// Each request appears as <folder>/pending/NNN.txt (the new messages) and NNN.json (the whole request). Write the answer to
// <folder>/answers/NNN.json: {"text": "…", "calls": [["search", {"queries": ["…"], "mode": "fast"}]]}; both are optional.
// The usage of each step is appended to <folder>/usage.jsonl (characters / 4; a prefix seen before counts as cached).
import { createServer } from 'node:http';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const [folder, port = '18090'] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node relay.mjs <folder> [port]');
  process.exit(2);
}
for (const name of ['pending', 'answers', 'done']) mkdirSync(join(folder, name), { recursive: true });
const tokens = (text) => Math.ceil(text.length / 4);
const earlier = [];
let count = 0;

async function answer(request, response) {
  if (request.method === 'GET') {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'by-hand', object: 'model' }] }));
    return;
  }
  let body = '';
  for await (const chunk of request) body += chunk;
  const { model, messages = [], tools = [] } = JSON.parse(body);
  const name = String((count += 1)).padStart(3, '0');
  const flat = JSON.stringify(tools) + messages.map((message) => JSON.stringify(message)).join('\n');
  const cached = Math.max(0, ...earlier.map((each) => commonLength(each, flat)));
  earlier.push(flat);
  const lastOwn = messages.findLastIndex(({ role }) => role === 'assistant');
  const fresh = messages.slice(lastOwn + 1);
  writeFileSync(join(folder, 'pending', `${name}.json`), JSON.stringify({ model, messages, tools }, null, 2));
  writeFileSync(
    join(folder, 'pending', `${name}.txt`),
    fresh.map((message) => `[${message.role}]\n${textOf(message)}`).join('\n\n'),
  );
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (choices, usage) =>
    response.write(
      `data: ${JSON.stringify({ id: name, object: 'chat.completion.chunk', created: 1, model, choices, ...(usage && { usage }) })}\n\n`,
    );
  const say = (delta, finish = null) => send([{ index: 0, delta, finish_reason: finish }]);
  say({ role: 'assistant', content: '' });
  const alive = setInterval(() => say({ content: '' }), 15_000);
  const looking = setInterval(() => {
    const place = join(folder, 'answers', `${name}.json`);
    if (!existsSync(place)) return;
    let written;
    try {
      written = JSON.parse(readFileSync(place, 'utf8'));
    } catch {
      return; // still being written
    }
    clearInterval(looking);
    clearInterval(alive);
    const { text = '', calls = [] } = written;
    if (text !== '') say({ content: text });
    calls.forEach(([tool, input], index) =>
      say({
        tool_calls: [
          {
            index,
            id: `call_${name}_${index}`,
            type: 'function',
            function: { name: tool, arguments: JSON.stringify(input) },
          },
        ],
      }),
    );
    say({}, calls.length > 0 ? 'tool_calls' : 'stop');
    const usage = {
      prompt_tokens: tokens(flat),
      completion_tokens: tokens(JSON.stringify(written)),
      prompt_tokens_details: { cached_tokens: Math.floor(cached / 4) },
    };
    send([], { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens });
    response.end('data: [DONE]\n\n');
    appendFileSync(
      join(folder, 'usage.jsonl'),
      `${JSON.stringify({ name, model, ...usage, calls: calls.length })}\n`,
    );
    renameSync(join(folder, 'pending', `${name}.json`), join(folder, 'done', `${name}.json`));
    rmSync(join(folder, 'pending', `${name}.txt`), { force: true });
  }, 300);
  response.on('close', () => {
    clearInterval(looking);
    clearInterval(alive);
  });
}

const server = createServer((request, response) => void answer(request, response));
server.listen(Number(port), '127.0.0.1', () => console.error(`http://127.0.0.1:${port}/v1`));

function textOf({ content, tool_calls: calls }) {
  const text =
    typeof content === 'string'
      ? content
      : (content ?? []).map((part) => part.text ?? `[${part.type}]`).join('\n');
  return calls === undefined ? text : `${text}\n${JSON.stringify(calls)}`;
}

function commonLength(a, b) {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  return at;
}
