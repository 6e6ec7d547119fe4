import { concat } from './concat.ts';
import type { Tool } from './define-tool.ts';
import { read } from './read.ts';
import { tree } from './tree.ts';

export type { Tool, ToolOutcome } from './define-tool.ts';
export { createRun, modelBounds } from './run.ts';
export type { Run } from './run.ts';

/** Every tool there is, in the order in which they are presented. */
export const tools: readonly Tool[] = [tree, read, concat];
