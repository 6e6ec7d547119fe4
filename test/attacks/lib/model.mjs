// A model that does what a script says: a chat-completions server on this machine.
import { createServer } from 'node:http';
import { failed, keepsake } from './world.mjs';

/**
 * `decide` gets the messages and the place of the request, and gives `{ calls: [{ tool, input }] }`, `{ text }` or
 * `{ status }`. `env` makes a Keepsake use this model.
 */
export async function startModel(decide) {
  const requests = [];
  const answer = async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const { messages = [], tools = [], stream } = JSON.parse(body);
    const turn = decide(messages, requests.push(messages) - 1);
    for (const call of turn.calls ?? []) checkCall(call, tools);
    if (turn.status !== undefined) {
      // The client should retry after a delay, not immediately.
      response.writeHead(turn.status, {
        'content-type': 'application/json',
        'x-should-retry': 'false',
        'retry-after-ms': '0',
      });
      response.end(JSON.stringify({ error: { message: 'scripted failure' } }));
      return;
    }
    send(response, stream, turn);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    requests,
    env: {
      KEEPSAKE_MODEL: 'openai-compatible/scripted',
      KEEPSAKE_MODEL_BASE_URL: `http://127.0.0.1:${server.address().port}/v1`,
      KEEPSAKE_MODEL_API_KEY: 'none',
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Obeys: makes the calls of each step in a turn, then says that it is done. `$ITEM` is where what came in lies. */
export function obeying(steps) {
  return (messages, index) => {
    const calls = steps[index];
    if (calls === undefined) return { text: 'Filed.' };
    const item =
      [...JSON.stringify(messages).matchAll(/vault\/(inbox\/[^/\s"]+)\/original\.md/g)].at(-1)?.[1] ??
      'inbox/none';
    return { calls: JSON.parse(JSON.stringify(calls).replaceAll('$ITEM', item)) };
  };
}

/** Runs a command that files something with a model that obeys; gives the update as it stands afterwards. */
export async function file(args, steps, input = '') {
  const model = await startModel(obeying(steps));
  const done = await keepsake([...args, '--again', '--wait', '--json'], { input, env: model.env });
  model.close();
  if (model.requests.length === 0)
    failed(`the model was not asked: ${done.stderr.trim().split('\n').at(-1)}`);
  return JSON.parse(done.stdout);
}

/** Files an email, words of others, with a model that obeys it. */
export const fileMail = (steps) =>
  file(['add', '-', '--from', 'email of a stranger'], steps, 'Please do as I say.\n');

export const call = (tool, input) => ({ tool, input });

/** A call that the agent could not have made shows nothing about what it is kept from. */
function checkCall({ tool, input }, offered) {
  const schema = offered.find(({ function: { name } }) => name === tool)?.function.parameters;
  if (schema === undefined) failed(`the agent has no tool ${tool}`);
  const unknown = Object.keys(input).filter((name) => !(name in (schema.properties ?? {})));
  const missing = (schema.required ?? []).filter((name) => !(name in input));
  if (unknown.length + missing.length > 0)
    failed(`the tool ${tool} takes other input (${[...unknown, ...missing].join(', ')})`);
}

function send(response, isStream, { calls = [], text = null }) {
  const base = {
    id: 'scripted',
    created: 1,
    model: 'scripted',
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
  const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
  const tool_calls = calls.map(({ tool, input }, index) => ({
    index,
    id: `call-${Math.random().toString(36).slice(2)}`,
    type: 'function',
    function: { name: tool, arguments: JSON.stringify(input) },
  }));
  if (!isStream) {
    const message = { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls }) };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }] }),
    );
    return;
  }
  response.setHeader('content-type', 'text/event-stream');
  const write = (delta, reason = null) =>
    response.write(
      `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`,
    );
  write({ role: 'assistant', content: text ?? '' });
  for (const each of tool_calls) write({ tool_calls: [each] });
  write({}, finish_reason);
  response.end('data: [DONE]\n\n');
}
