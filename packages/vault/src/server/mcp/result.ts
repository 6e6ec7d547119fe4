import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Tool, ToolOutcome } from '../../tools/index.ts';

type Result = Extract<ToolOutcome, { kind: 'result' }>['result'];

/**
 * Converts the outcome of a tool to an MCP result. Some clients show the model the text and some only the structured
 * content, so each must be complete by itself.
 */
export function toCallToolResult(tool: Tool, outcome: ToolOutcome, hasRun: boolean): CallToolResult {
  if (outcome.kind === 'refused') return errorResult(outcome.message);
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
  if (structuredIncludesText(tool)) return { ...value };
  return textIncludesStructured(tool) ? { text, errors: value.errors } : { text, ...value };
}

export function errorResult(message: string): CallToolResult {
  return { content: [{ type: 'text', text: message }], isError: true };
}

/** Whether the structured value of the tool contains everything that its text says. */
export function structuredIncludesText({ name }: Tool): boolean {
  return name === 'search' || name === 'today';
}

/** Whether the text of a result contains all of its structured value. True for `tree`, whose value only repeats full paths. */
export function textIncludesStructured({ name }: Tool): boolean {
  return name === 'tree';
}

function hasNothingButErrors({ errors, ...rest }: Result['value']): boolean {
  return errors.length > 0 && Object.values(rest).every((part) => !Array.isArray(part) || part.length === 0);
}

/** Without a session, a later write must name the revision that was read, so the text includes it. */
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
