export { traceChannel, traced } from './traced.ts';
export type { TracedWork, TraceParent } from './traced.ts';
