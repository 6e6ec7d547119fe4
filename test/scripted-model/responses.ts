import { inPieces, newCallId, usageOf } from './protocol.ts';
import type { Protocol } from './protocol.ts';
import type { Conversation, SeenRequest } from './seen-request.ts';
import { argumentsOf } from './turn.ts';
import type { Reply } from './turn.ts';

type Part = { type: string; text?: string };
type Item = {
  type?: string;
  role?: string;
  content?: string | Part[];
  call_id?: string;
  name?: string;
  output?: string | Part[];
};
type Tool = { type: string; name?: string; tools?: Tool[] };

/** The Responses API of OpenAI, as the SDK and Codex use it. Functions may be in a namespace. */
export const responses: Protocol = { name: 'responses', path: '/responses', read, answer, stream };

function read(body: Record<string, unknown>): Conversation {
  const {
    instructions = '',
    input = [],
    tools = [],
  } = body as { instructions?: string; input?: Item[]; tools?: Tool[] };
  const of = (...roles: string[]) => input.filter(({ role }) => roles.includes(role ?? ''));
  const results = input.filter(({ type }) => type === 'function_call_output');
  const calls = input.filter(({ type }) => type === 'function_call');
  const names = new Map(calls.map((call) => [call.call_id, call.name]));
  return {
    system: [instructions, ...of('system', 'developer').map(textOf)].filter((text) => text !== '').join('\n'),
    toolNames: tools.flatMap((tool) => (tool.tools ?? [tool]).map(({ name, type }) => name ?? type)),
    userTexts: of('user')
      .map(textOf)
      .filter((text) => text !== ''),
    toolResults: results.map((item) => ({ tool: names.get(item.call_id) ?? '', text: textOf(item) })),
    images: { inToolResults: countImages(results), inUserMessages: countImages(of('user')) },
  };
}

function answer(request: SeenRequest, reply: Reply): unknown {
  return complete(newResponse(request), itemsOf(request, reply), usage(request, reply));
}

function stream(request: SeenRequest, reply: Reply): string[] {
  const response = newResponse(request);
  const items = itemsOf(request, reply);
  return [
    event({ type: 'response.created', response }),
    ...items.flatMap((item, index) => [
      event({ type: 'response.output_item.added', output_index: index, item: begun(item) }),
      ...piecesOf(item).map((delta) =>
        event({
          type: 'text' in item ? 'response.output_text.delta' : 'response.function_call_arguments.delta',
          item_id: item.id,
          output_index: index,
          content_index: 0,
          delta,
        }),
      ),
      event({ type: 'response.output_item.done', output_index: index, item: wire(item) }),
    ]),
    event({ type: 'response.completed', response: complete(response, items, usage(request, reply)) }),
  ];
}

type OutputItem =
  | { id: string; text: string }
  | { id: string; call_id: string; name: string; arguments: string; namespace?: string };

function itemsOf({ body }: SeenRequest, { text = '', calls = [] }: Reply): OutputItem[] {
  const { tools = [] } = body as { tools?: Tool[] };
  const namespaceOf = (name: string) =>
    tools.find(({ tools: inside }) => inside?.some((tool) => tool.name === name))?.name;
  const message = text === '' && calls.length > 0 ? [] : [{ id: `msg_${newCallId()}`, text }];
  return [
    ...message,
    ...calls.map((call) => {
      const namespace = namespaceOf(call.tool);
      return {
        id: `fc_${newCallId()}`,
        call_id: `call_${newCallId()}`,
        name: call.tool,
        arguments: argumentsOf(call),
        ...(namespace !== undefined && { namespace }),
      };
    }),
  ];
}

function wire(item: OutputItem): object {
  if (!('text' in item)) return { type: 'function_call', status: 'completed', ...item };
  const content = [{ type: 'output_text', text: item.text, annotations: [] }];
  return { type: 'message', role: 'assistant', status: 'completed', id: item.id, content };
}

function begun(item: OutputItem): object {
  return {
    ...wire('text' in item ? { ...item, text: '' } : { ...item, arguments: '' }),
    status: 'in_progress',
  };
}

function piecesOf(item: OutputItem): string[] {
  return inPieces('text' in item ? item.text : item.arguments);
}

function newResponse({ body }: SeenRequest): object {
  return { id: `resp_${newCallId()}`, created_at: 0, model: body['model'], service_tier: null };
}

function complete(response: object, items: OutputItem[], used: object): object {
  return { ...response, output: items.map(wire), usage: used };
}

function usage(request: SeenRequest, reply: Reply): object {
  const { input, output, cached } = usageOf(request, reply);
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    input_tokens_details: { cached_tokens: cached },
    output_tokens_details: { reasoning_tokens: 0 },
  };
}

function event(data: { type: string; [name: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function textOf({ content, output }: Item): string {
  const parts = content ?? output ?? '';
  return typeof parts === 'string' ? parts : parts.flatMap(({ text }) => text ?? []).join('\n');
}

function countImages(items: Item[]): number {
  const parts = items.flatMap(({ content, output }) => [content, output].flat());
  return parts.filter((part) => typeof part === 'object' && part.type === 'input_image').length;
}
