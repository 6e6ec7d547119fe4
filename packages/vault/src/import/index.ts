export { importKinds } from './recognise.ts';
export type { ImportKind } from './recognise.ts';
export type { ImportReport } from './report.ts';
export { importInto } from './run.ts';
