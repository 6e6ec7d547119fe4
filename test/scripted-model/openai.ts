import { inPieces, newCallId, usageOf } from './protocol.ts';
import type { Protocol } from './protocol.ts';
import type { Conversation, SeenRequest } from './seen-request.ts';
import { argumentsOf } from './turn.ts';
import type { Reply } from './turn.ts';

type Content = string | { type: string; text?: string }[] | null | undefined;
type Message = {
  role: string;
  content?: Content;
  tool_calls?: { id: string; function: { name: string } }[];
  tool_call_id?: string;
};

/** Chat completions, as in OpenAI and compatible servers such as Mistral. */
export const openai: Protocol = { name: 'openai', path: '/chat/completions', read, answer, stream };

function read(body: Record<string, unknown>): Conversation {
  const { messages = [], tools = [] } = body as {
    messages?: Message[];
    tools?: { function: { name: string } }[];
  };
  const of = (...roles: string[]) => messages.filter(({ role }) => roles.includes(role));
  const calls = messages.flatMap((message) => message.tool_calls ?? []);
  const names = new Map(calls.map((call) => [call.id, call.function.name]));
  return {
    system: of('system', 'developer').map(textOf).join('\n'),
    toolNames: tools.map((tool) => tool.function.name),
    userTexts: of('user')
      .map(textOf)
      .filter((text) => text !== ''),
    toolResults: of('tool').map((message) => ({
      tool: names.get(message.tool_call_id ?? '') ?? '',
      text: textOf(message),
    })),
    images: { inToolResults: countImages(of('tool')), inUserMessages: countImages(of('user')) },
  };
}

function answer(request: SeenRequest, reply: Reply): unknown {
  const { text = '', calls = [] } = reply;
  const message = {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(calls.length > 0 && {
      tool_calls: calls.map((call) => ({
        id: newCallId(),
        type: 'function',
        function: { name: call.tool, arguments: argumentsOf(call) },
      })),
    }),
  };
  return {
    ...envelope(request, 'chat.completion'),
    choices: [{ index: 0, message, finish_reason: finishReason(reply) }],
    usage: usage(request, reply),
  };
}

function stream(request: SeenRequest, reply: Reply): string[] {
  const start = envelope(request, 'chat.completion.chunk');
  const chunk = (delta: object, rest: object = {}) =>
    event({ ...start, choices: [{ index: 0, delta, finish_reason: null, ...rest }] });
  const callChunk = (call: object) => chunk({ tool_calls: [call] });
  const last = { index: 0, delta: {}, finish_reason: finishReason(reply) };
  const count = { usage: usage(request, reply) };
  return [
    chunk({ role: 'assistant', content: '' }),
    ...inPieces(reply.text ?? '').map((content) => chunk({ content })),
    ...(reply.calls ?? []).flatMap((call, index) => [
      callChunk({ index, id: newCallId(), type: 'function', function: { name: call.tool, arguments: '' } }),
      ...inPieces(argumentsOf(call)).map((piece) => callChunk({ index, function: { arguments: piece } })),
    ]),
    event({ ...start, choices: [last], ...(countsUnasked(request) && count) }),
    ...(wantsCount(request) ? [event({ ...start, choices: [], ...count })] : []),
    'data: [DONE]\n\n',
  ];
}

function wantsCount({ body }: SeenRequest): boolean {
  return (body['stream_options'] as { include_usage?: boolean } | undefined)?.include_usage === true;
}

/** Mistral always reports usage, in the last chunk with a choice; its client rejects a chunk without a choice. */
function countsUnasked({ headers }: SeenRequest): boolean {
  return headers['user-agent']?.includes('ai-sdk-mistral') === true;
}

function envelope({ body }: SeenRequest, object: string): object {
  return { id: `chat-${newCallId()}`, object, created: 0, model: body['model'] };
}

function finishReason({ calls = [] }: Reply): string {
  return calls.length > 0 ? 'tool_calls' : 'stop';
}

function usage(request: SeenRequest, reply: Reply): object {
  const { input, output, cached } = usageOf(request, reply);
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
  };
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

function textOf({ content }: Message): string {
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap(({ text }) => text ?? []).join('\n');
}

function countImages(messages: Message[]): number {
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  return parts.filter(({ type }) => type === 'image_url').length;
}
