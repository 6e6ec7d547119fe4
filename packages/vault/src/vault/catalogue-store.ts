import Sqlite from 'better-sqlite3';
import type { Database } from 'better-sqlite3';
import type { LocalTime } from '../contract/index.ts';
import type { FileEntry, FileRecord } from './file-record.ts';
import { childPath, baseName, parentPath } from './path.ts';
import type { VaultPath } from './path.ts';
import type { CatalogueChange } from './scan.ts';
import type { NoteMarks } from './note-marks.ts';
import { readNoteMarks } from './note-marks.ts';
import type { NoteTasks, StoredTask, TaskGroups } from './tasks.ts';

/** Increased with every change of the table below; a database of another version is discarded, never migrated. */
export const catalogueVersion = 5;

/** Persists the catalogue across restarts in a disposable table of files. */
export type CatalogueStore = {
  folders: () => VaultPath[];
  filesIn: (folder: VaultPath) => Map<string, FileEntry>;
  find: (path: VaultPath) => FileRecord | undefined;
  save: (changes: readonly CatalogueChange[]) => void;
  /** Finds notes that link, or may link, to one of these names; null when an earlier write failed and the answer is unknown. */
  findLinkingNotes: (names: ReadonlySet<string>) => VaultPath[] | null;
  /** Finds notes with tasks of a group; null when an earlier write failed and the answer is unknown. */
  findTasks: (group: keyof TaskGroups) => NoteTasks[] | null;
  /** Finds notes with tags and pinned notes; null when an earlier write failed and the answer is unknown. */
  findMarks: () => NoteMarks[] | null;
};

const entryColumns = 'name, size, mtime, ctime, tokens, updated';
const columns = `folder, ${entryColumns}, kind, inode, lines, title, revision, width, height, links, tasks, otherTasks, marks`;

type LinksRow = [VaultPath, string, string | null];
type TasksRow = [VaultPath, string, string];
type EntryRow = [string, number, number, number | null, number | null, LocalTime | null];

/**
 * The store is only a cache: database errors are reported to `onFailure` and otherwise ignored.
 */
export function createCatalogueStore(database: Database, onFailure: (error: Error) => void): CatalogueStore {
  database.exec(`create table if not exists files (${columns}, primary key (folder, name)) without rowid`);
  // Contains the primary key, too, so that the few notes with tasks are found without reading the table.
  database.exec("create index if not exists dated_tasks on files (tasks) where tasks <> ''");
  database.exec("create index if not exists other_tasks on files (otherTasks) where otherTasks <> ''");
  database.exec("create index if not exists marks on files (marks) where marks <> ''");
  const selectTasks = {
    dated: database.prepare("select folder, name, tasks from files where tasks <> ''").raw(),
    other: database.prepare("select folder, name, otherTasks from files where otherTasks <> ''").raw(),
  };
  const selectMarks = database.prepare("select folder, name, marks from files where marks <> ''").raw();
  const selectFolders = database.prepare('select distinct folder from files').pluck();
  const selectFiles = database.prepare(`select ${entryColumns} from files where folder = ?`).raw();
  const selectOne = database.prepare('select * from files where folder = ? and name = ?');
  const named = columns.replaceAll(/\w+/g, '@$&');
  const selectLinks = database
    .prepare("select folder, name, links from files where links is null or links <> ''")
    .raw();
  // Queries for a single name are frequent (whenever a note is shown), so the database filters most rows.
  const selectLinksLike = database
    .prepare('select folder, name, links from files where links is null or instr(links, ?) > 0')
    .raw();
  const upsert = database.prepare(`insert or replace into files values (${named})`);
  const remove = database.prepare('delete from files where folder = ? and name = ?');

  let hasFailed = false;
  const withFallback = <Value>(fallback: Value, work: () => Value): Value => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Sqlite.SqliteError)) throw error;
      hasFailed = true;
      onFailure(error);
      return fallback;
    }
  };
  const save = database.transaction((changes: readonly CatalogueChange[]) => {
    for (const { path, record } of changes) {
      const [folder, name] = [parentPath(path), baseName(path)];
      if (record === null) remove.run(folder, name);
      else upsert.run({ ...record, folder, name });
    }
  });
  return {
    folders: () => withFallback([], () => selectFolders.all() as VaultPath[]),
    filesIn(folder) {
      const files = new Map<string, FileEntry>();
      const rows = withFallback([], () => selectFiles.all(folder) as EntryRow[]);
      for (const [name, size, mtime, ctime, tokens, updated] of rows)
        files.set(name, { size, mtime, ctime, tokens, updated });
      return files;
    },
    find: (path) =>
      withFallback(
        undefined,
        () => selectOne.get(parentPath(path), baseName(path)) as FileRecord | undefined,
      ),
    save: (changes) => withFallback(undefined, () => save(changes)),
    findLinkingNotes(names) {
      const found: VaultPath[] = [];
      withFallback(undefined, () => {
        const rows = names.size === 1 ? selectLinksLike.iterate(...names) : selectLinks.iterate();
        for (const [folder, name, links] of rows as Iterable<LinksRow>)
          if (links === null || links.split('\n').some((each) => names.has(each)))
            found.push(childPath(folder, name));
      });
      return hasFailed ? null : found;
    },
    findTasks(group) {
      const rows = withFallback([], () => selectTasks[group].all() as TasksRow[]);
      const found = rows.map(([folder, name, tasks]) => ({
        path: childPath(folder, name),
        tasks: JSON.parse(tasks) as StoredTask[],
      }));
      return hasFailed ? null : found;
    },
    findMarks() {
      const rows = withFallback([], () => selectMarks.all() as TasksRow[]);
      const found = rows.map(([folder, name, marks]) => readNoteMarks(childPath(folder, name), marks));
      return hasFailed ? null : found;
    },
  };
}
