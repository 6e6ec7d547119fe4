import { z } from 'zod';
import { treeValue } from '../contract/index.ts';
import type { PathError } from '../contract/index.ts';
import { fileRow, folderIn, nameOf, parentPath, renderTree, rootPath, treeRows } from '../vault/index.ts';
import type { FolderEntry, TreeRow, VaultPath } from '../vault/index.ts';
import { defineTool, errorLine } from './define-tool.ts';
import { missing, namePath } from './name-path.ts';
import type { Run } from './run.ts';

const input = z.strictObject({
  path: z.string().nullish().describe('A folder or file; leave it out for the whole vault'),
  depth: z
    .int()
    .nonnegative({ error: 'must be 0 or more; leave it out to unfold everything' })
    .nullish()
    .describe('How many levels to unfold; 0 for the folder alone'),
});

export const tree = defineTool({
  name: 'tree',
  effect: 'read',
  description: [
    'Lists files and folders with their tokens and the date of their last modification. Use it to find your way',
    'and to see what a read would cost. Example: {"path": "vault/projects/", "depth": 1}',
  ].join(' '),
  input,
  output: treeValue,
  async run({ path, depth }, run) {
    const named = namePath(path ?? rootPath);
    const found = named.ok
      ? await rowsAt(named.path, named.shown, depth ?? null, run)
      : { error: named.error };
    if ('error' in found)
      return { text: errorLine(found.error), images: [], value: { entries: [], errors: [found.error] } };
    const text = found.note === '' ? renderTree(found.rows) : `${renderTree(found.rows)}\n\n${found.note}`;
    const entries = found.rows.map(({ item }) => item).filter((item) => item !== null);
    return { text, images: [], value: { entries, errors: [] } };
  },
});

type Rows = { rows: TreeRow[]; note: string };

async function rowsAt(
  path: VaultPath,
  shown: string,
  depth: number | null,
  run: Run,
): Promise<Rows | { error: PathError }> {
  const contents = await run.view.contents();
  const folder = folderIn(contents, path);
  if (folder !== undefined)
    return run.bounds === null ? allRows(folder, depth) : rowsWithin(folder, depth, run.bounds.tokens * 4);
  const entry = folderIn(contents, parentPath(path))?.files.get(nameOf(path));
  if (entry !== undefined) return { rows: [fileRow(path, entry)], note: '' };
  return run.view.look(path, async (viewed) => {
    const error =
      viewed.kind === 'refused'
        ? { path: shown, message: viewed.reason }
        : await missing(run.view, path, shown);
    return { error };
  });
}

function allRows(folder: FolderEntry, depth: number | null): Rows {
  return { rows: treeRows(folder, { depth }) ?? [], note: '' };
}

/** As many levels as fit: deeper folders are collapsed first, then long folders are cut short. */
function rowsWithin(folder: FolderEntry, depth: number | null, characters: number): Rows {
  const room = characters - 500;
  const fitting = (levels: number | null, entries: number | null): TreeRow[] | null => {
    const rows = treeRows(folder, { depth: levels, entries }, room);
    return rows !== null && renderTree(rows).length <= room ? rows : null;
  };
  const all = fitting(depth, null);
  if (all !== null) return { rows: all, note: '' };
  let best: TreeRow[] | null = null;
  let levels = 0;
  for (let next = fitting(1, null); next !== null; next = fitting(levels + 1, null)) {
    best = next;
    levels += 1;
  }
  if (best !== null)
    return {
      rows: best,
      note: `collapsed to ${levels === 1 ? '1 level' : `${levels} levels`} to fit; call tree with the path of a folder to see more of it`,
    };
  let entries = 1024;
  while ((best = fitting(1, entries)) === null && entries > 1) entries = Math.floor(entries / 2);
  return {
    rows: best ?? [],
    note: `cut to ${entries} entries to fit; call tree with the path of a folder to see more of it`,
  };
}
