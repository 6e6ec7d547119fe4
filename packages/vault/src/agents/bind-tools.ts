import type { z } from 'zod';
import { describeTool } from '../tools/index.ts';
import type { ReadRun, ReadTool, Run, Tool, ToolOutcome, WriteRun } from '../tools/index.ts';

/** A tool bound to the run it works on. */
export type BoundTool = {
  name: string;
  description: string;
  input: z.ZodType;
  call: (input: unknown) => Promise<ToolOutcome>;
};

/** For agents that must not change anything: accepts neither a writing tool nor a run that can write. */
export function bindReadTools(tools: readonly ReadTool[], run: ReadRun): BoundTool[] {
  return tools.map((tool) => ({ ...toBoundTool(tool, run), call: (input) => tool.call(input, run) }));
}

export function bindTools(tools: readonly Tool[], run: WriteRun): BoundTool[] {
  return tools.map((tool) => ({ ...toBoundTool(tool, run), call: (input) => tool.call(input, run) }));
}

function toBoundTool(tool: Tool, { view, hasEmbedder, toolInterface }: Run): Omit<BoundTool, 'call'> {
  const { name, description, input } = describeTool(tool, { hasEmbedder: hasEmbedder(), toolInterface });
  return { name, description: view.layout().substituteNames(description), input };
}

const maxSummaryCharacters = 120;

/** A short one-line description of a call for progress displays. */
export function describeCall(input: unknown): string {
  const parts = pathsAndQueries(input).map((word) => word.replaceAll(/\s+/g, ' ').trim());
  const text = parts.filter((part) => part !== '').join(', ');
  return text.length > maxSummaryCharacters ? `${text.slice(0, maxSummaryCharacters - 1)}…` : text;
}

/** Returns only paths and queries, which would be hard to see next to a long text to write. */
function pathsAndQueries(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return [];
  const { path, paths, files, queries, from, to } = input as Record<string, unknown>;
  return [path, paths, queries, from, to, files].flat().flatMap((value) => {
    if (typeof value === 'string') return [value];
    return typeof value === 'object' && value !== null ? pathsAndQueries(value) : [];
  });
}
