import { tracingChannel } from 'node:diagnostics_channel';

/** The W3C Trace Context headers of the caller's span. */
export type RemoteTraceContext = { traceparent?: unknown; tracestate?: unknown };

/** A traced operation. Its attributes hold only ids, our own names and numbers; never a path, a query or vault content. */
export type SpanInfo = {
  name:
    | 'gateway'
    | 'request'
    | 'mcp'
    | 'tool'
    | 'search'
    | 'model'
    | 'update'
    | 'commit'
    | 'append'
    | 'open'
    | 'snapshot'
    | 'sql';
  parent?: RemoteTraceContext | undefined;
  vault?: string;
  method?: string;
  status?: number;
  tool?: string;
  mode?: string;
  model?: string;
  inputTokens?: number;
  outputTokens?: number;
  /** Number of queries, files or records, depending on the operation. */
  count?: number;
  bytes?: number;
  operation?: string;
};

export const traceChannelName = 'keepsake';
const channel = tracingChannel<unknown, SpanInfo>(traceChannelName);

/**
 * Runs an operation in a span. `run` may set further attributes on its argument until the span ends. Costs nothing without a
 * subscriber.
 */
export function withSpan<Value>(span: SpanInfo, run: (span: SpanInfo) => Promise<Value>): Promise<Value> {
  return channel.tracePromise(() => run(span), span);
}
