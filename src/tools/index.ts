import { append } from './append.ts';
import { concat } from './concat.ts';
import type { Tool } from './define-tool.ts';
import { remove } from './delete.ts';
import { edit } from './edit.ts';
import { move } from './move.ts';
import { read } from './read.ts';
import { search } from './search.ts';
import { tree } from './tree.ts';
import { write } from './write.ts';

export { errorLine } from './define-tool.ts';
export type { Tool, ToolOutcome } from './define-tool.ts';
export { writePolicy } from './policy.ts';
export { showFound } from './search.ts';
export { createWriteRun, modelBounds, personBounds } from './run.ts';
export type { WriteRun } from './run.ts';

/** Every tool there is, in the order in which they are presented. */
export const tools: readonly Tool[] = [tree, read, search, concat, write, edit, append, move, remove];
