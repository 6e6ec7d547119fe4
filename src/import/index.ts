export { importInto } from './run.ts';
export type { ImportReport } from './report.ts';
export { importKinds } from './recognise.ts';
export type { ImportKind } from './recognise.ts';
