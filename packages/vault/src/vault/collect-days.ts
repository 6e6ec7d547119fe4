import { addDays } from '../contract/index.ts';
import { eventDay, parseChangelog } from './changelog.ts';
import { decodeText } from './decode-text.ts';
import { fileKindOf } from './file-kind.ts';
import { maxInMemoryBytes } from './file-record.ts';
import type { FileEntry } from './file-record.ts';
import { childPath } from './path.ts';
import type { VaultPath } from './path.ts';
import { isOwnChangelog } from './replaced-entries.ts';
import { listDatedTasks, timeFrom } from './today.ts';
import type { TodayItem } from './today.ts';
import type { VaultView } from './vault-view.ts';
import { walkFiles } from './walk-files.ts';

/** What a calendar shows of one day. */
export type VaultDay = {
  day: string;
  /** Notes whose name starts with the day, for example daily notes. */
  notes: VaultPath[];
  /** Changelog entries about the day. */
  entries: { path: VaultPath; line: number; heading: string }[];
  /** Unfinished tasks that are due, and appointments. */
  tasks: Omit<TodayItem, 'occurrence'>[];
};

/** Limits the work of a request: changelogs are read. */
const maxChangelogs = 60;

/** Collects the days from `from` to `to`, without those on which there is nothing. */
export async function collectDays(
  view: Pick<VaultView, 'contents' | 'findTasks' | 'layout' | 'read'>,
  from: string,
  to: string,
): Promise<VaultDay[]> {
  const [contents, layout] = [await view.contents(), view.layout()];
  const days = new Map<string, VaultDay>();
  const dayOf = (day: string): VaultDay => {
    const known = days.get(day) ?? { day, notes: [], entries: [], tasks: [] };
    days.set(day, known);
    return known;
  };
  const isShown = (day: string): boolean => day >= from && day <= to;
  const changelogs: { path: VaultPath; entry: FileEntry }[] = [];
  for (const { folder, name, entry } of walkFiles(contents)) {
    if (fileKindOf(name) !== 'markdown') continue;
    const day = /^\d{4}-\d\d-\d\d(?!\d)/.exec(name)?.[0];
    if (day !== undefined && isShown(day)) dayOf(day).notes.push(childPath(folder, name));
    if (name === layout.names.changelog) {
      const path = childPath(folder, name);
      if (isOwnChangelog(path, layout)) changelogs.push({ path, entry });
    }
  }
  // An entry is written on its day or later, so a changelog that was last changed before has none.
  const read = changelogs
    .filter(({ entry }) => entry.updated === null || entry.updated >= from || entry.mtime >= Date.parse(from))
    .toSorted((a, b) => b.entry.mtime - a.entry.mtime)
    .slice(0, maxChangelogs);
  for (const { path } of read)
    for (const each of parseChangelog(await readText(view, path))) {
      const day = eventDay(each);
      if (day !== null && isShown(day))
        dayOf(day).entries.push({ path, line: each.lines.start, heading: each.heading });
    }
  for (const { occurrence: _, ...item } of await listDatedTasks(view))
    for (let when = timeFrom(item, from); when !== null && when.day <= to;) {
      if (when.day >= from) dayOf(when.day).tasks.push({ ...item, when });
      const next = timeFrom(item, addDays(when.day, 1));
      when = next !== null && next.day > when.day ? next : null;
    }
  return [...days.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1));
}

async function readText(view: Pick<VaultView, 'read'>, path: VaultPath): Promise<string> {
  const read = await view.read(path, maxInMemoryBytes);
  const decoded = read.kind === 'file' ? decodeText(read.bytes) : null;
  return decoded?.kind === 'text' ? decoded.text : '';
}
