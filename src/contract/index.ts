export type { Clock } from './clock.ts';
export { changeValue, concatValue, readValue, searchValue, treeValue } from './tool-results.ts';
export type { ChangeValue, ConcatValue, PathError, ReadValue } from './tool-results.ts';
