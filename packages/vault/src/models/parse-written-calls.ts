/** A tool call that a model wrote as text. With `isInvalid`, `input` is text that is not valid JSON. */
type WrittenCall = { toolName: string; input: unknown; isInvalid: boolean };

/** `text` is the text without the calls. */
type WrittenCalls = { calls: WrittenCall[]; text: string };

/**
 * Finds tool calls that a model wrote into its text instead of making them, as small models and servers without
 * support for tools do: `<tool_call>{…}</tool_call>` (Hermes, Qwen), `[TOOL_CALLS] […]` (Mistral),
 * `<function=name>{…}</function>` (Llama), and JSON in a code fence or alone. Null if there are none.
 *
 * Only calls of the given tools count. A fence counts only at the start or the end of the text, because an answer may
 * contain JSON. A call that occurs in `shown`, the text that the model was given, is a quotation and does not count.
 */
export function parseWrittenCalls(
  text: string,
  toolNames: readonly string[],
  shown: () => string,
): WrittenCalls | null {
  const blocks = findBlocks(text, toolNames);
  if (blocks.length === 0) return null;
  const around = blocks.map(({ start }, index) => text.slice(blocks[index - 1]?.end ?? 0, start));
  const after = text.slice(blocks.at(-1)?.end);
  const isAmongText = around.slice(1).some(hasText) || (hasText(around[0] ?? '') && hasText(after));
  if (isAmongText && blocks.some(({ isFence }) => isFence)) return null;
  const given = withoutLayout(shown());
  if (blocks.some(({ source }) => given.includes(withoutLayout(source)))) return null;
  return { calls: blocks.flatMap(({ calls }) => calls), text: [...around, after].join('').trim() };
}

/** The part of an unfinished text before the first call that is marked as one. */
export function cutAtWrittenCall(text: string): string {
  return text.replace(/^[ \t]*(?:<tool_call>|\[TOOL_CALLS\]|<function=)[^]*/m, '');
}

/** `source` is the text that makes up the calls, for comparison with the text that the model was given. */
type Payload = { calls: WrittenCall[]; source: string; end: number };
type Block = Payload & { start: number; isFence: boolean };

const marker = String.raw`(?:<tool_call>|\[TOOL_CALLS\]|<function=(?<tool>[\w.-]+)>)\s*`;
const opening = new RegExp(String.raw`^[ \t]*(?:(?<fence>\x60{3,})[\w-]*\s*|${marker})`, 'gm');
/** A call directly after another one, also on the same line. */
const following = new RegExp(String.raw`\s*${marker}`, 'y');
const closing = /(?:\s*<\/(?:tool_call|function)>)*/y;

/** Each marker may require a scan of the whole text. */
const maxMarkers = 64;

function findBlocks(text: string, toolNames: readonly string[]): Block[] {
  const start = text.search(/\S/);
  const alone = start === -1 ? null : readCalls(text, start, null, toolNames);
  if (alone !== null && !hasText(text.slice(alone.end))) return [{ ...alone, start, isFence: false }];
  const blocks: Block[] = [];
  for (let at = 0, markers = 0; markers < maxMarkers; markers += 1) {
    const opened =
      (blocks.at(-1)?.end === at ? matchAt(following, text, at) : null) ?? matchAt(opening, text, at);
    if (opened === null) break;
    const { fence, tool = null } = opened.groups ?? {};
    const inside = opened.index + opened[0].length;
    if (fence === undefined) {
      const read = readCalls(text, inside, tool, toolNames) ?? readBrokenCall(text, inside, tool, toolNames);
      const end = read === null ? inside : read.end + (matchAt(closing, text, read.end)?.[0].length ?? 0);
      if (read !== null) blocks.push({ ...read, start: opened.index, end, isFence: false });
      at = end;
    } else {
      const read = readCalls(text, inside, null, toolNames);
      const close = text.indexOf(fence, read?.end ?? inside);
      const end = close === -1 ? text.length : close + fence.length;
      const isCall = read !== null && !hasText(text.slice(read.end, close === -1 ? end : close));
      if (isCall) blocks.push({ ...read, start: opened.index, end, isFence: true });
      at = end;
    }
  }
  return blocks;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** `search{…}` and `search[ARGS]{…}`, as newer Mistral models write. */
const namedCall = /(?:<function=)?([\w.-]+)(?:>|\[ARGS\])?\s*(?=\{)/y;

/** Reads JSON that consists of calls. With `tool`, the JSON is the input of that tool. */
function readCalls(
  text: string,
  at: number,
  tool: string | null,
  toolNames: readonly string[],
): Payload | null {
  const [prefix = '', named] = (tool === null ? matchAt(namedCall, text, at) : null) ?? [];
  const start = at + prefix.length;
  const end = endOfJson(text, start);
  const json = end === null ? '' : text.slice(start, end);
  const value = parseJson(json);
  if (end === null || value === undefined) return null;
  const toolName = tool ?? named;
  const calls =
    toolName === undefined ? [value].flat().map(toCall) : [{ toolName, input: value, isInvalid: false }];
  const areCalls =
    calls.length > 0 && calls.every((call) => call !== null && toolNames.includes(call.toolName));
  const source = `${tool === null ? prefix : `<function=${tool}>`}${json}`;
  return areCalls ? { calls: calls.filter((call) => call !== null), source, end } : null;
}

/** A marked call with broken JSON: the model is told so instead of being ignored. */
function readBrokenCall(
  text: string,
  at: number,
  tool: string | null,
  toolNames: readonly string[],
): Payload | null {
  const end = text.slice(at).search(/<\/(?:tool_call|function)>|<tool_call>|<function=/);
  const json = end === -1 ? text.slice(at) : text.slice(at, at + end);
  const toolName = tool ?? /"name"\s*:\s*"([\w.-]+)"/.exec(json)?.[1] ?? '';
  if (!toolNames.includes(toolName) || parseJson(json) !== undefined) return null;
  return { calls: [{ toolName, input: json.trim(), isInvalid: true }], source: json, end: at + json.length };
}

const callFields = new Set(['name', 'arguments', 'parameters', 'input', 'id', 'type']);

/** Null if the value is not a call. */
function toCall(value: unknown): WrittenCall | null {
  if (!isObject(value)) return null;
  if (isObject(value['function'])) return toCall(value['function']);
  const { name } = value;
  const input = value['arguments'] ?? value['parameters'] ?? value['input'];
  const hasOther = Object.keys(value).some((key) => !callFields.has(key));
  if (typeof name !== 'string' || input === undefined || hasOther) return null;
  const parsed = typeof input === 'string' ? parseJson(input) : input;
  return { toolName: name, input: parsed ?? input, isInvalid: !isObject(parsed) };
}

/** The end of the JSON object or list that starts at `start`; null if there is none or it is not closed. */
function endOfJson(text: string, start: number): number | null {
  if (!'{['.includes(text[start] ?? ' ')) return null;
  let [depth, isInString] = [0, false];
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (isInString && character === '\\') at += 1;
    else if (character === '"') isInString = !isInString;
    else if (!isInString && '{['.includes(character)) depth += 1;
    else if (!isInString && '}]'.includes(character)) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return null;
}

/** Undefined if the text is not JSON. Line breaks inside strings are accepted, because small models do not escape them. */
function parseJson(text: string): unknown {
  const escaped = text.replaceAll(/"[^"\\]*(?:\\[^][^"\\]*)*"/g, (string) =>
    string.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t'),
  );
  try {
    return JSON.parse(escaped);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasText(text: string): boolean {
  return text.trim() !== '';
}

/** Without white space and the line numbers of tool results. */
function withoutLayout(text: string): string {
  return text.replaceAll(/^ *\d+ *\| ?/gm, '').replaceAll(/\s+/g, '');
}
