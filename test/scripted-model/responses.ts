import { newCallId, usageOf } from './protocol.ts';
import type { Protocol } from './protocol.ts';
import type { Conversation, SeenRequest } from './seen-request.ts';
import { argumentsOf } from './turn.ts';
import type { Reply } from './turn.ts';

type Content = string | { type: string; text?: string }[] | undefined;
type Item = {
  type?: string;
  role?: string;
  content?: Content;
  call_id?: string;
  name?: string;
  output?: Content;
};

/** The Responses API, as Codex uses it. */
export const responses: Protocol = { name: 'responses', path: '/responses', read, answer, stream };

function read(body: Record<string, unknown>): Conversation {
  const {
    instructions = '',
    input = [],
    tools = [],
  } = body as {
    instructions?: string;
    input?: Item[];
    tools?: { name?: string; type: string }[];
  };
  const of = (...roles: string[]) => input.filter(({ role }) => roles.includes(role ?? ''));
  const names = new Map(
    input.map(({ type, call_id: id, name }) => [type === 'function_call' ? id : '', name]),
  );
  const results = input.filter(({ type }) => type === 'function_call_output');
  return {
    system: [instructions, ...of('system', 'developer').map(({ content }) => textOf(content))].join('\n'),
    toolNames: tools.map(({ name, type }) => name ?? type),
    userTexts: of('user')
      .map(({ content }) => textOf(content))
      .filter((text) => text !== ''),
    toolResults: results.map(({ call_id: id, output }) => ({
      tool: names.get(id) ?? '',
      text: textOf(output),
    })),
    images: {
      inToolResults: countImages(results.map(({ output }) => output)),
      inUserMessages: countImages(of('user').map(({ content }) => content)),
    },
  };
}

function answer(request: SeenRequest, reply: Reply): unknown {
  const { input, output, cached } = usageOf(request, reply);
  return {
    id: `resp-${newCallId()}`,
    output: itemsOf(reply),
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  };
}

function stream(request: SeenRequest, reply: Reply): string[] {
  const whole = answer(request, reply) as { id: string; output: object[] };
  return [
    event('response.created', { response: { id: whole.id } }),
    ...whole.output.map((item, index) => event('response.output_item.done', { output_index: index, item })),
    event('response.completed', { response: whole }),
  ];
}

function itemsOf({ text, calls = [] }: Reply): object[] {
  const content = [{ type: 'output_text', text }];
  return [
    ...(text ? [{ type: 'message', id: `msg-${newCallId()}`, role: 'assistant', content }] : []),
    ...calls.map((call) => ({
      type: 'function_call',
      id: `fc-${newCallId()}`,
      call_id: newCallId(),
      name: call.tool,
      arguments: argumentsOf(call),
    })),
  ];
}

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

function textOf(content: Content): string {
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap(({ text }) => text ?? []).join('\n');
}

function countImages(contents: Content[]): number {
  const parts = contents.flatMap((content) => (Array.isArray(content) ? content : []));
  return parts.filter(({ type }) => type === 'input_image').length;
}
