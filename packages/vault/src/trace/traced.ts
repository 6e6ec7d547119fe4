import { tracingChannel } from 'node:diagnostics_channel';

/** What somebody elsewhere does that the work is part of, in the words of W3C Trace Context. */
export type TraceParent = { traceparent?: unknown; tracestate?: unknown };

/** Work that is worth a look from outside: ids, our own names, and numbers. Never a path, a query or a word of a vault. */
export type TracedWork = {
  work:
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
  parent?: TraceParent | undefined;
  vault?: string;
  method?: string;
  status?: number;
  tool?: string;
  mode?: string;
  model?: string;
  inputTokens?: number;
  outputTokens?: number;
  /** Of queries, files or records, as it is. */
  count?: number;
  bytes?: number;
  operation?: string;
};

export const traceChannel = 'keepsake';
const channel = tracingChannel<unknown, TracedWork>(traceChannel);

/**
 * Does it, and has whoever listens know when it began and ended. What is known only later is set in `work` before it ends. While
 * nobody listens it costs nothing.
 */
export function traced<Value>(work: TracedWork, act: (work: TracedWork) => Promise<Value>): Promise<Value> {
  return channel.tracePromise(() => act(work), work);
}
