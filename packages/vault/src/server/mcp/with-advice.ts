import { TRACEPARENT_META_KEY, TRACESTATE_META_KEY } from '@modelcontextprotocol/server';
import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { AppError } from '../../app/index.ts';
import { AdvisedError, describeError } from '../../contract/index.ts';
import { traced } from '../../trace/index.ts';
import type { McpOptions } from './options.ts';
import { failure } from './result.ts';

/** The error to throw so that the client sees the advice: the SDK tells it the message and nothing else. */
export function withAdvice(error: unknown): unknown {
  return error instanceof AdvisedError ? new Error(describeError(error), { cause: error }) : error;
}

/** The same for a whole request. */
export async function advising<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw withAdvice(error);
  }
}

/** What the message of an error explains is for the client; anything else is also for whoever runs this. */
export async function explaining(
  { onError }: McpOptions,
  context: ServerContext,
  tool: string,
  work: () => Promise<CallToolResult | InputRequiredResult>,
): Promise<CallToolResult | InputRequiredResult> {
  const { mcpReq } = context;
  try {
    return await tracedCall(context, tool, work);
  } catch (error) {
    if (error instanceof AppError) return failure(`error: ${describeError(error)}`);
    if (!mcpReq.signal.aborted) onError?.(error);
    throw withAdvice(error);
  }
}

/** A call as part of what the client says it is part of. */
export function tracedCall<Value>(
  { mcpReq: { _meta: meta } }: ServerContext,
  tool: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const parent = { traceparent: meta?.[TRACEPARENT_META_KEY], tracestate: meta?.[TRACESTATE_META_KEY] };
  return traced({ work: 'mcp', tool, parent }, work);
}
