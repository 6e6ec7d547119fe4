import { formatLocalTime } from '../contract/index.ts';
import { fileKindOf } from './file-kind.ts';
import type { FileEntry, FolderEntry } from './file-record.ts';
import type { Layout } from './layout.ts';
import { isTreeFile } from './layout.ts';
import type { NoteMarks } from './note-marks.ts';
import { childPath } from './path.ts';
import type { VaultPath } from './path.ts';
import { walkFiles } from './walk-files.ts';

/** More files than this with modification times in the same minute were copied, so these times say nothing about them. */
const maxFilesPerMinute = 20;

const minuteOf = (entry: FileEntry): number => Math.floor(entry.mtime / 60_000);

/**
 * Lists notes, the latest first: by the `updated` stamp, another date in the properties, the day in the name or the
 * modification time. Notes without any of them come last.
 */
export function listRecentNotes(
  contents: FolderEntry,
  marks: readonly NoteMarks[],
  layout: Layout,
): { path: VaultPath; updated: string }[] {
  const dates = new Map(marks.map(({ path, date }) => [path, date]));
  const perMinute = new Map<number, number>();
  for (const { entry } of walkFiles(contents))
    if (entry.updated === null) perMinute.set(minuteOf(entry), (perMinute.get(minuteOf(entry)) ?? 0) + 1);
  const notes: { path: VaultPath; updated: string; isKnown: boolean }[] = [];
  for (const { folder, name, entry } of walkFiles(contents)) {
    if (fileKindOf(name) !== 'markdown') continue;
    const path = childPath(folder, name);
    if (isTreeFile(path) || layout.isInInbox(path) || layout.isChangelog(path)) continue;
    const named = /^\d{4}-\d\d-\d\d(?!\d)/.exec(name)?.[0];
    const own = entry.updated ?? dates.get(path) ?? (named === undefined ? null : `${named}T00:00:00`);
    const isKnown = own !== null || (perMinute.get(minuteOf(entry)) ?? 0) <= maxFilesPerMinute;
    notes.push({ path, updated: own ?? formatLocalTime(entry.mtime), isKnown });
  }
  return notes
    .toSorted(
      (a, b) =>
        Number(b.isKnown) - Number(a.isKnown) || compare(b.updated, a.updated) || compare(a.path, b.path),
    )
    .map(({ path, updated }) => ({ path, updated }));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
