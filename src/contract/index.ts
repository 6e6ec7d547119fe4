export type { Clock } from './clock.ts';
export { changeValue, concatValue, readValue, searchValue, treeValue } from './tool-results.ts';
export type { ChangeValue, ConcatValue, PathError, ReadValue } from './tool-results.ts';
export { keepsakeEvent } from './events.ts';
export type { Emit, KeepsakeEvent } from './events.ts';
export { answer, updateInput, updateResult } from './updates.ts';
export type { Answer, UpdateInput, UpdateResult } from './updates.ts';
export * as api from './api.ts';
export type { ProblemCode } from './api.ts';
