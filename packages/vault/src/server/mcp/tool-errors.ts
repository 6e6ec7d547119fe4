import { TRACEPARENT_META_KEY, TRACESTATE_META_KEY } from '@modelcontextprotocol/server';
import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { AppError } from '../../app/index.ts';
import { KeepsakeError, describeError } from '../../contract/index.ts';
import { withSpan } from '../../trace/index.ts';
import type { McpOptions } from './options.ts';
import { errorResult } from './result.ts';

/**
 * Adds the hint of an error, which says what to do, to its message, because the SDK sends only the message to the
 * client.
 */
export function withHint(error: unknown): unknown {
  return error instanceof KeepsakeError ? new Error(describeError(error), { cause: error }) : error;
}

export async function rethrowWithHint<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw withHint(error);
  }
}

/** Runs a tool. Expected errors become tool results; all others are also reported to `onError`. */
export async function runTool(
  { onError }: McpOptions,
  context: ServerContext,
  tool: string,
  work: () => Promise<CallToolResult | InputRequiredResult>,
): Promise<CallToolResult | InputRequiredResult> {
  const { mcpReq } = context;
  try {
    return await traceCall(context, tool, work);
  } catch (error) {
    if (error instanceof AppError) return errorResult(`error: ${describeError(error)}`);
    if (!mcpReq.signal.aborted) onError?.(error);
    throw withHint(error);
  }
}

/** Traces a tool call as a child of the client's span. */
export function traceCall<Value>(
  { mcpReq: { _meta: meta } }: ServerContext,
  tool: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const parent = { traceparent: meta?.[TRACEPARENT_META_KEY], tracestate: meta?.[TRACESTATE_META_KEY] };
  return withSpan({ name: 'mcp', tool, parent }, work);
}
