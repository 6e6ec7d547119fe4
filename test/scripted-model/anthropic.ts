import { inPieces, newCallId, usageOf } from './protocol.ts';
import type { Protocol } from './protocol.ts';
import type { Conversation, SeenRequest } from './seen-request.ts';
import { argumentsOf } from './turn.ts';
import type { Call, Reply } from './turn.ts';

type Content = string | Block[] | undefined;
type Block = {
  type: string;
  text?: string;
  /** In a tool call. */
  id?: string;
  name?: string;
  /** In a tool result. */
  tool_use_id?: string;
  content?: Content;
};
type Message = { role: string; content?: Content };

export const anthropic: Protocol = { name: 'anthropic', path: '/messages', read, answer, stream };

function read(body: Record<string, unknown>): Conversation {
  const {
    system,
    messages = [],
    tools = [],
  } = body as { system?: Content; messages?: Message[]; tools?: { name: string }[] };
  const of = (wanted: string) => messages.filter(({ role }) => role === wanted);
  const calls = of('assistant')
    .flatMap(({ content }) => blocksOf(content))
    .filter(({ type }) => type === 'tool_use');
  const names = new Map(calls.map(({ id, name }) => [id, name]));
  const userBlocks = of('user').flatMap(({ content }) => blocksOf(content));
  const results = userBlocks.filter(({ type }) => type === 'tool_result');
  return {
    system: [system, ...of('system').map(({ content }) => content)]
      .flatMap(blocksOf)
      .flatMap(textIn)
      .join('\n'),
    toolNames: tools.map(({ name }) => name),
    userTexts: of('user')
      .map(({ content }) => textOf(content))
      .filter((text) => text !== ''),
    toolResults: results.map((result) => ({
      tool: names.get(result.tool_use_id) ?? '',
      text: textOf(result.content),
    })),
    images: {
      inToolResults: countImages(results.flatMap(({ content }) => blocksOf(content))),
      inUserMessages: countImages(userBlocks),
    },
  };
}

function answer(request: SeenRequest, reply: Reply): unknown {
  const content = [
    ...(reply.text ? [{ type: 'text', text: reply.text }] : []),
    ...(reply.calls ?? []).map((call) => ({ ...newToolUse(call), input: inputOf(call) })),
  ];
  const { input, output } = usage(request, reply);
  return {
    ...envelope(request),
    content,
    stop_reason: stopReason(reply),
    stop_sequence: null,
    usage: { ...input, ...output },
  };
}

function stream(request: SeenRequest, reply: Reply): string[] {
  const { input, output } = usage(request, reply);
  const message = { ...envelope(request), content: [], stop_reason: null, stop_sequence: null };
  const blocks = [
    ...(reply.text
      ? [{ block: { type: 'text', text: '' }, deltas: inPieces(reply.text).map(textDelta) }]
      : []),
    ...(reply.calls ?? []).map((call) => ({
      block: { ...newToolUse(call), input: {} },
      // The real API starts with an empty piece.
      deltas: ['', ...inPieces(argumentsOf(call))].map(inputDelta),
    })),
  ];
  return [
    event('message_start', { message: { ...message, usage: { ...input, output_tokens: 1 } } }),
    event('ping', {}),
    ...blocks.flatMap(({ block, deltas }, index) => [
      event('content_block_start', { index, content_block: block }),
      ...deltas.map((delta) => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index }),
    ]),
    event('message_delta', {
      delta: { stop_reason: stopReason(reply), stop_sequence: null },
      usage: output,
    }),
    event('message_stop', {}),
  ];
}

function envelope({ body }: SeenRequest): object {
  return { id: `msg-${newCallId()}`, type: 'message', role: 'assistant', model: body['model'] };
}

function newToolUse({ tool }: Call): object {
  return { type: 'tool_use', id: newCallId(), name: tool };
}

/** Outside a stream an input is a JSON value, so malformed arguments can only be sent as a string. */
function inputOf(call: Call): unknown {
  if (!('rawInput' in call)) return call.input;
  try {
    return JSON.parse(call.rawInput);
  } catch {
    return call.rawInput;
  }
}

function stopReason({ calls = [] }: Reply): string {
  return calls.length > 0 ? 'tool_use' : 'end_turn';
}

function usage(request: SeenRequest, reply: Reply): { input: object; output: object } {
  const { input, output, cached } = usageOf(request, reply);
  return {
    input: {
      // Anthropic counts cached tokens separately.
      input_tokens: input - cached,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: cached,
    },
    output: { output_tokens: output },
  };
}

function textDelta(text: string): object {
  return { type: 'text_delta', text };
}

function inputDelta(piece: string): object {
  return { type: 'input_json_delta', partial_json: piece };
}

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

function blocksOf(content: Content): Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
}

function textOf(content: Content): string {
  return blocksOf(content).flatMap(textIn).join('\n');
}

function textIn({ text }: Block): string | [] {
  return text ?? [];
}

function countImages(blocks: Block[]): number {
  return blocks.filter(({ type }) => type === 'image').length;
}
