import { z } from 'zod';
import { contentTerms } from '../../../../vault/src/review/index.ts';
import type { ChildProgram } from './child-program.ts';
import { SystemError } from './memory-system.ts';
import type { Evidence, MemorySystem, Operation } from './memory-system.ts';

const call = z.strictObject({ tool: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) });

/** Where the entries are in the JSON of a result: the property with the list, and those of each entry. */
const entries = z.strictObject({
  list: z.string(),
  name: z.string().default('name'),
  /** A text, or a list of texts. */
  text: z.string(),
});

/** How the tools of an MCP server become the operations of the benchmark. */
export const mcpMapping = z.strictObject({
  name: z.string(),
  version: z.string().default(''),
  /** The npm package that has to be installed, for the message if it is missing. */
  package: z.string().optional(),
  command: z.array(z.string()).min(1),
  environment: z.record(z.string(), z.string()).default({}),
  /** An entry gets at most this many lines; a longer note becomes several. */
  maxLines: z.int().min(1).default(1_000_000),
  maxLineCharacters: z.int().min(1).default(1_000_000),
  file: call,
  /** With `each: word`, the tool is called for every content word of the query. */
  search: call.extend({ each: z.enum(['query', 'word']).default('query'), entries }),
  /** Called for every text of an entry that contains the words, or once for the entry. */
  forget: call.extend({ each: z.enum(['text', 'entry']) }).optional(),
  dump: call.extend({ entries }).optional(),
});
export type McpMapping = z.infer<typeof mcpMapping>;

/** A memory behind an MCP server. It has no files and no sentences of its own. */
export async function createMcpSystem(
  mapping: McpMapping,
  { request, notify, close }: ChildProgram,
): Promise<MemorySystem> {
  const initialize = (): Promise<unknown> =>
    request({
      jsonrpc: '2.0',
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'keepsake-benchmark', version: '1' },
      },
    }).catch(async (error: unknown) => {
      await close();
      throw error;
    });
  const { serverInfo } = z
    .looseObject({ serverInfo: z.looseObject({ version: z.string() }).optional() })
    .parse(result(await initialize()));
  notify({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const run = async (
    { tool, arguments: template }: z.infer<typeof call>,
    values: Values,
  ): Promise<unknown> => {
    const params = { name: tool, arguments: fillIn(template, values) };
    return textOf(result(await request({ jsonrpc: '2.0', method: 'tools/call', params })));
  };
  let inputs = 0;
  const add = async (path: string, text: string): Promise<void> => {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    for (let start = 0; start < lines.length; start += mapping.maxLines) {
      const part = lines.slice(start, start + mapping.maxLines);
      await run(mapping.file, {
        path: start === 0 ? path : `${path} ${start / mapping.maxLines + 1}`,
        text: part.join('\n'),
        lines: part.map((line) => line.slice(0, mapping.maxLineCharacters)),
      });
    }
  };
  const readAll = async (): Promise<Entry[]> =>
    mapping.dump === undefined ? [] : readEntries(await run(mapping.dump, {}), mapping.dump.entries);
  const offers: Operation[] = ['reset', 'file', 'search'];
  if (mapping.dump !== undefined) offers.push('dump');
  if (mapping.dump !== undefined && mapping.forget !== undefined) offers.push('forget');
  return {
    name: mapping.name,
    version: serverInfo?.version ?? mapping.version,
    model: null,
    offers: new Set(offers),
    keepsFiles: false,
    async reset({ files }) {
      for (const [path, text] of files) await add(path, text);
    },
    async file({ text, files, at }) {
      inputs += 1;
      const documents = files.flatMap((file) => file.text ?? []);
      await add(`input ${inputs}, ${at}`, [text, ...documents].join('\n'));
      return { outcome: 'filed', receipt: '' };
    },
    ask: () => Promise.reject(new SystemError('ask is not offered')),
    async search(queries) {
      const { each, entries: where } = mapping.search;
      const asked = each === 'query' ? queries : [...new Set(queries.flatMap(wordsOf))];
      const found = new Map<string, Evidence>();
      for (const query of asked)
        for (const { name, texts } of readEntries(await run(mapping.search, { query }), where))
          found.set(name, { path: name, text: texts.join('\n') });
      return [...found.values()];
    },
    async forget(words) {
      const { forget } = mapping;
      if (forget === undefined) throw new SystemError('forget is not offered');
      for (const { name, texts } of await readAll()) {
        const matching = texts.filter((text) => text.toLowerCase().includes(words.toLowerCase()));
        if (matching.length === 0) continue;
        const parts = forget.each === 'text' ? matching : [''];
        for (const text of parts) await run(forget, { path: name, text });
      }
    },
    dump: async () => new Map((await readAll()).map(({ name, texts }) => [name, texts.join('\n')])),
    close,
  };
}

type Values = Readonly<Record<string, string | readonly string[]>>;

/** Replaces `{{name}}` in all texts; a text that is only a placeholder becomes the value itself, which may be a list. */
function fillIn(template: unknown, values: Values): unknown {
  if (typeof template === 'string') {
    const [, whole] = /^\{\{(\w+)\}\}$/.exec(template) ?? [];
    if (whole !== undefined) return values[whole] ?? '';
    return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));
  }
  if (Array.isArray(template)) return template.map((each) => fillIn(each, values));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, each]) => [key, fillIn(each, values)]));
}

function result(response: unknown): unknown {
  const parsed = z
    .object({ result: z.unknown().optional(), error: z.object({ message: z.string() }).optional() })
    .parse(response);
  if (parsed.error !== undefined) throw new SystemError(parsed.error.message);
  return parsed.result;
}

function textOf(value: unknown): string {
  const { content, isError = false } = z
    .object({
      content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).default([]),
      isError: z.boolean().optional(),
    })
    .parse(value);
  const text = content.flatMap((part) => part.text ?? []).join('\n');
  if (isError) throw new SystemError(text.slice(0, 500));
  return text;
}

type Entry = { name: string; texts: string[] };

function readEntries(text: unknown, { list, name, text: field }: z.infer<typeof entries>): Entry[] {
  const found = z.record(z.string(), z.unknown()).safeParse(parseJson(String(text)));
  const items = found.success ? z.array(z.record(z.string(), z.unknown())).safeParse(found.data[list]) : null;
  return items?.success === true
    ? items.data.map((item) => ({ name: String(item[name]), texts: [item[field] ?? []].flat().map(String) }))
    : [];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The words of a query as they are written, without function words. */
function wordsOf(query: string): string[] {
  return (query.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => contentTerms(word).size > 0);
}
