export { traceChannelName, withSpan } from './with-span.ts';
export type { SpanInfo, RemoteTraceContext } from './with-span.ts';
