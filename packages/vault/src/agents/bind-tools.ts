import type { z } from 'zod';
import type { ReadRun, ReadTool, Run, Tool, ToolOutcome, WriteRun } from '../tools/index.ts';

/** A tool that already knows what it works on. */
export type BoundTool = {
  name: string;
  description: string;
  input: z.ZodType;
  call: (input: unknown) => Promise<ToolOutcome>;
};

/** For what must not change anything: neither a writing tool nor a run that could write is accepted. */
export function bindReadTools(tools: readonly ReadTool[], run: ReadRun): BoundTool[] {
  return tools.map((tool) => ({ ...describe(tool, run), call: (given) => tool.call(given, run) }));
}

export function bindTools(tools: readonly Tool[], run: WriteRun): BoundTool[] {
  return tools.map((tool) => ({ ...describe(tool, run), call: (given) => tool.call(given, run) }));
}

function describe({ name, description, input }: Tool, { view }: Run): Omit<BoundTool, 'call'> {
  return { name, description: view.layout().inWords(description), input };
}

const longest = 120;

/** What a call is about, in a few words and on one line, for somebody who looks on. */
export function describeCall(input: unknown): string {
  const parts = wordsIn(input).map((word) => word.replaceAll(/\s+/g, ' ').trim());
  const text = parts.filter((part) => part !== '').join(', ');
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/** Paths and queries; not the text to be written, which would drown them. */
function wordsIn(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return [];
  const { path, paths, files, queries, from, to } = input as Record<string, unknown>;
  return [path, paths, queries, from, to, files].flat().flatMap((value) => {
    if (typeof value === 'string') return [value];
    return typeof value === 'object' && value !== null ? wordsIn(value) : [];
  });
}
