import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Tool, ToolOutcome } from '../../tools/index.ts';

type Result = Extract<ToolOutcome, { kind: 'result' }>['result'];

/**
 * What a tool answered, as MCP says it. Some clients show a model the text and some only the structured value, so
 * each has to be enough by itself.
 */
export function resultFrom(tool: Tool, outcome: ToolOutcome, hasRun: boolean): CallToolResult {
  if (outcome.kind === 'refused') return failure(outcome.message);
  const { text, images, value } = outcome.result;
  const structured = tool.effect === 'write' ? { changes: [], ...value } : value;
  return {
    content: [
      { type: 'text', text: hasRun ? text : `${text}${revisionLines(outcome.result)}` },
      ...images.map(({ mediaType, data }) => ({
        type: 'image' as const,
        mimeType: mediaType,
        data: data.toString('base64'),
      })),
    ],
    structuredContent: structuredFrom(tool, text, structured),
    ...(hasNothingButErrors(value) && { isError: true }),
  };
}

function structuredFrom(tool: Tool, text: string, value: Result['value']): Record<string, unknown> {
  if (hasTextInValue(tool)) return { ...value };
  return hasValueInText(tool) ? { text, errors: value.errors } : { text, ...value };
}

export function failure(message: string): CallToolResult {
  return { content: [{ type: 'text', text: message }], isError: true };
}

/** Whether the structured value of a tool holds what its text says. */
export function hasTextInValue({ name }: Tool): boolean {
  return name === 'search';
}

/** Whether the text says all of the value, in less: each entry of a tree has its whole path. */
export function hasValueInText({ name }: Tool): boolean {
  return name === 'tree';
}

function hasNothingButErrors({ errors, ...rest }: Result['value']): boolean {
  return errors.length > 0 && Object.values(rest).every((part) => !Array.isArray(part) || part.length === 0);
}

/** Where nothing is remembered between calls, whoever goes on to edit has to name what was read. */
function revisionLines({ value }: Result): string {
  const { files = [], changes = [] } = value as {
    files?: { path: string; revision: string }[];
    changes?: { path: string; revision: string | null }[];
  };
  const lines = [...files, ...changes].flatMap(({ path, revision }) =>
    revision === null ? [] : [`revision of ${path}: ${revision}`],
  );
  return lines.length === 0 ? '' : `\n\n${lines.join('\n')}`;
}
