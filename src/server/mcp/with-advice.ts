import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server';
import { AppError } from '../../app/index.ts';
import { AdvisedError, describeError } from '../../contract/index.ts';
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
  { mcpReq }: ServerContext,
  work: () => Promise<CallToolResult | InputRequiredResult>,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) return failure(`error: ${describeError(error)}`);
    if (!mcpReq.signal.aborted) onError?.(error);
    throw withAdvice(error);
  }
}
