export type { Clock } from './clock.ts';
export { concatValue, readValue, treeValue } from './tool-results.ts';
export type { ConcatValue, PathError, ReadValue } from './tool-results.ts';
