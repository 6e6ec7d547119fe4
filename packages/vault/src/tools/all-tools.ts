import { append } from './append.ts';
import { concat } from './concat.ts';
import type { ReadTool, Tool } from './define-tool.ts';
import { remove } from './delete.ts';
import { edit } from './edit.ts';
import { move } from './move.ts';
import { read } from './read.ts';
import { search } from './search.ts';
import { tree } from './tree.ts';
import { write } from './write.ts';

/** Every tool there is, in the order in which they are presented. */
export const tools: readonly Tool[] = [tree, read, search, concat, write, edit, append, move, remove];

/** A tool that is known to exist and only to read. */
export function readToolNamed(name: string): ReadTool {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool?.effect !== 'read') throw new Error(`there is no tool ${name} that only reads`);
  return tool;
}
