import { z } from 'zod';
import { treeValue } from '../contract/index.ts';
import type { PathError } from '../contract/index.ts';
import { fileIn, fileRow, folderIn, renderTree, rootPath, treeWithin } from '../vault/index.ts';
import type { RenderedTree, VaultPath } from '../vault/index.ts';
import { defineReadTool, errorLine } from './define-tool.ts';
import { toolName } from './door.ts';
import { explainMissing, namePath } from './name-path.ts';
import type { Run } from './run.ts';

const input = z.strictObject({
  path: z.string().nullish().describe('A folder or file; leave it out for the whole vault'),
  depth: z
    .int()
    .nonnegative({ error: 'must be 0 or more; leave it out to unfold everything' })
    .nullish()
    .describe('How many levels to unfold; 0 for the folder alone'),
});

export const tree = defineReadTool({
  name: 'tree',
  title: 'List files',
  description: [
    'Lists files and folders with their tokens and the date of their last modification. Use it to find your way',
    'and to see what a read would cost. Example: {"path": "vault/projects/", "depth": 1}',
  ].join(' '),
  input,
  output: treeValue,
  async run({ path, depth }, run) {
    const named = namePath(path ?? rootPath);
    const found = named.ok
      ? await treeAt(named.path, named.shown, depth ?? null, run)
      : { error: named.error };
    if ('error' in found)
      return { text: errorLine(found.error), images: [], value: { entries: [], errors: [found.error] } };
    const entries = found.rows.map(({ item }) => item).filter((item) => item !== null);
    return { text: found.text, images: [], value: { entries, errors: [] } };
  },
});

/** A list of names is worth less of a model's room than what is in the files. */
const partForTree = 1 / 4;

async function treeAt(
  path: VaultPath,
  shown: string,
  depth: number | null,
  run: Run,
): Promise<RenderedTree | { error: PathError }> {
  // The whole vault is as it was last seen; one folder is looked at again.
  const contents = await run.view.contents(path === rootPath ? undefined : path);
  const folder = folderIn(contents, path);
  if (folder !== undefined) {
    const characters = run.bounds.tokens * partForTree * 4;
    return treeWithin(folder, depth, characters, (tool) => toolName(tool, run.door));
  }
  const entry = fileIn(contents, path);
  if (entry !== undefined) {
    const rows = [fileRow(path, entry)];
    return { rows, text: renderTree(rows) };
  }
  return run.view.look(path, async (viewed) => {
    const isRefused = viewed.kind === 'refused';
    return {
      error: isRefused ? { path: shown, message: viewed.reason } : await explainMissing(run)({ path, shown }),
    };
  });
}
