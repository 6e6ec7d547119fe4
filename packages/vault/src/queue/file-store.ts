import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import type { Clock, UpdateFile } from '../contract/index.ts';
import { writeUnsynced } from './write-unsynced.ts';

/** A file of an update without its content; `bytes` is its size. */
export type StoredFile = { name: string; bytes: number };

type Part = { file: number; part: number; bytes: Uint8Array };

/**
 * The content of the files submitted with updates. Files are stored in parts, so that storing, reading or removing a
 * large one never blocks the event loop for longer than one part takes.
 */
export type FileStore = {
  put(update: string, part: Part): void;
  /** Stores files before their update is accepted. They become durable with the next transaction that is synced to disk. */
  stage(update: string, files: readonly UpdateFile[]): Promise<void>;
  /** Whether all parts of the files are stored. */
  isComplete(update: string, files: readonly UpdateFile[]): boolean;
  read(update: string, files: readonly StoredFile[]): Promise<UpdateFile[]>;
  /** Does nothing while an unfinished update still needs the files. */
  remove(update: string): Promise<void>;
  /** Removes the files of finished updates, and those whose update was never accepted. */
  removeUnused(): Promise<void>;
};

const partBytes = 1_048_576;
/**
 * Accepting an update takes seconds. Files that were staged longer ago were left behind by a process that was killed.
 */
const maxStagingMs = 3_600_000;

export function createFileStore(database: Database, clock: Clock): FileStore {
  // Replaces existing parts: a node that is killed between staging and accepting while it replays a log repeats both
  // under the same id.
  const insert = database.prepare(
    'insert or replace into update_parts (update_id, file, part, staged_at, bytes) values (@update, @file, @part, @at, @bytes)',
  );
  const get = database
    .prepare('select bytes from update_parts where update_id = ? and file = ? and part = ?')
    .pluck();
  const count = database
    .prepare('select count(*) from update_parts where update_id = ? and file = ?')
    .pluck();
  const removeOne = database.prepare(
    `delete from update_parts where seq = (select seq from update_parts where update_id = @update limit 1)
       and not exists (select 1 from updates where id = @update and state != 'done')`,
  );
  const unused = database
    .prepare(
      `select distinct update_id from update_parts left join updates on updates.id = update_id
       where state = 'done' or (state is null and abs(@now - staged_at) > ${maxStagingMs})`,
    )
    .pluck();

  const put = (update: string, part: Part): void => void insert.run({ update, at: clock(), ...part });
  const remove = async (update: string): Promise<void> => {
    while (writeUnsynced(database, () => removeOne.run({ update })).changes > 0) await nextTurn();
  };
  return {
    put,
    async stage(update, files) {
      for (const part of partsOf(files)) {
        writeUnsynced(database, () => put(update, part));
        await nextTurn();
      }
    },
    isComplete: (update, files) =>
      files.every(({ bytes }, file) => count.get(update, file) === partsIn(bytes.length)),
    async read(update, files) {
      const read: UpdateFile[] = [];
      for (const [file, { name, bytes: length }] of files.entries()) {
        const bytes = Buffer.alloc(length);
        for (let part = 0; part < partsIn(length); part += 1) {
          const content = get.get(update, file, part) as Buffer | undefined;
          if (content === undefined) throw new Error(`file ${name} of update ${update} is not stored`);
          bytes.set(content, part * partBytes);
          await nextTurn();
        }
        read.push({ name, bytes });
      }
      return read;
    },
    remove,
    async removeUnused() {
      for (const update of unused.all({ now: clock() })) await remove(String(update));
    },
  };
}

export function describeFiles(files: readonly UpdateFile[]): StoredFile[] {
  return files.map(({ name, bytes }) => ({ name, bytes: bytes.length }));
}

export function* partsOf(files: readonly UpdateFile[]): Iterable<Part> {
  for (const [file, { bytes }] of files.entries())
    for (let part = 0; part < partsIn(bytes.length); part += 1)
      yield { file, part, bytes: bytes.subarray(part * partBytes, (part + 1) * partBytes) };
}

function partsIn(bytes: number): number {
  return Math.ceil(bytes / partBytes);
}
