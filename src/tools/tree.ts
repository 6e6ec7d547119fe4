import { z } from 'zod';
import { treeValue } from '../contract/index.ts';
import type { PathError } from '../contract/index.ts';
import {
  count,
  fileRow,
  folderIn,
  nameOf,
  parentPath,
  renderTree,
  rootPath,
  treeRows,
} from '../vault/index.ts';
import type { FolderEntry, TreeRow, VaultPath } from '../vault/index.ts';
import { defineReadTool, errorLine } from './define-tool.ts';
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

type Rendered = { rows: TreeRow[]; text: string };

async function treeAt(
  path: VaultPath,
  shown: string,
  depth: number | null,
  run: Run,
): Promise<Rendered | { error: PathError }> {
  // The whole vault is as it was last seen; one folder is looked at again.
  const contents = await run.view.contents(path === rootPath ? undefined : path);
  const folder = folderIn(contents, path);
  if (folder !== undefined) return renderWithin(folder, depth, run.bounds.tokens * 4);
  const entry = folderIn(contents, parentPath(path))?.files.get(nameOf(path));
  if (entry !== undefined) return rendered([fileRow(path, entry)]);
  return run.view.look(path, async (viewed) => {
    const isRefused = viewed.kind === 'refused';
    return {
      error: isRefused
        ? { path: shown, message: viewed.reason }
        : await explainMissing(run.view)({ path, shown }),
    };
  });
}

function rendered(rows: TreeRow[], note = ''): Rendered {
  const text = renderTree(rows);
  return { rows, text: note === '' ? text : `${text}\n\n${note}` };
}

/** As many levels as fit: deeper folders are collapsed first, then long folders are cut short. */
function renderWithin(folder: FolderEntry, depth: number | null, characters: number): Rendered {
  const room = characters - 500;
  const fitting = (levels: number | null, entries: number | null, note = ''): Rendered | null => {
    const rows = treeRows(folder, { depth: levels, entries }, room);
    const whole = rows && rendered(rows, note);
    return whole !== null && whole.text.length <= characters ? whole : null;
  };
  const all = fitting(depth, null);
  if (all !== null) return all;
  const collapsed = (levels: number): Rendered | null =>
    fitting(
      levels,
      null,
      `collapsed to ${count(levels, 'level')} to fit; call tree with the path of a folder to see more of it`,
    );
  let best: Rendered | null = null;
  for (let levels = 1, next = collapsed(levels); next !== null; next = collapsed(levels)) {
    best = next;
    levels += 1;
  }
  for (let entries = 1024; best === null; entries = Math.floor(entries / 2)) {
    best = fitting(
      1,
      entries,
      `cut to ${entries} entries to fit; name a folder in it, or use search to find what is not shown`,
    );
  }
  return best;
}
