import { baseName, childPath, findFolder } from '../vault/index.ts';
import type { FolderEntry, Layout, VaultPath } from '../vault/index.ts';

type SessionNote = {
  path: VaultPath;
  /** When its session has ended at the latest, as local time. */
  latestEnd: string;
};

/** When the session of a note started, by the name of its file, for example `2026-11-16T09:00:00`; null for other notes. */
export function parseSessionStart(path: VaultPath): string | null {
  const [, day, hours, minutes] = /^(\d{4}-\d{2}-\d{2})-(\d{2})(\d{2})-/.exec(baseName(path)) ?? [];
  return day === undefined ? null : `${day}T${hours}:${minutes}:00`;
}

/** The notes of the sessions of a project, or of no project, those that started last first. */
export function listSessionNotes(
  contents: FolderEntry,
  layout: Layout,
  project: string | null,
): SessionNote[] {
  const folder = layout.sessionsFolder(project);
  const files = [...(findFolder(contents, folder)?.files ?? [])].filter(([name]) => name.endsWith('.md'));
  return files
    .toSorted(([a], [b]) => Number(b > a) - Number(b < a))
    .flatMap(([name, { updated }]) => {
      const path = childPath(folder, name);
      const start = parseSessionStart(path);
      if (start === null) return [];
      // Adding the end of a session to its note updates the stamp. Without one, sessions of a day are all compared.
      return [{ path, latestEnd: updated ?? `${start.slice(0, 10)}T24` }];
    });
}

/**
 * The notes among which those are that ended last: as many of those that started last, and of those changed last, since a session can
 * go on for days. The ones that may have ended last come first.
 */
export function selectLatestEnds(notes: readonly SessionNote[], most: number): SessionNote[] {
  const sorted = notes.toSorted(
    (a, b) => Number(b.latestEnd > a.latestEnd) - Number(b.latestEnd < a.latestEnd),
  );
  const chosen = new Set([...notes.slice(0, most), ...sorted.slice(0, most)]);
  return sorted.filter((note) => chosen.has(note));
}
