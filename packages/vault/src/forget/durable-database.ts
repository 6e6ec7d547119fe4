import { gunzipSync } from 'node:zlib';
import type { Database } from 'better-sqlite3';
import type { ForgetEffect, ForgetPassage, ForgetStoreName, PlannedPlace } from '../contract/index.ts';
import type { RewrittenObjects } from './git-repository.ts';
import type { DescribeText, Redactor } from './redactor.ts';
import {
  deleteRow,
  describeCell,
  findRows,
  listTables,
  parseJson,
  readRow,
  redactCell,
  updateRow,
} from './table-rows.ts';
import type { Row, Table } from './table-rows.ts';

const stores: Record<string, ForgetStoreName> = {
  transactions: 'journal',
  changes: 'journal',
  created_folders: 'journal',
  replaced_files: 'journal',
  updates: 'queue',
  update_parts: 'queue',
  update_progress: 'queue',
  update_secrets: 'queue',
  answers: 'answers',
};

/** Tables whose rows are worthless without the words. The progress of an update is rebuilt by its next attempt. */
const deletedRows = new Set(['answers', 'update_progress', 'replaced_files']);

/** Finds the words in the journal, the queue and every other table. Contents that are split into rows are joined first. */
export function findInDurable(
  database: Database,
  redactor: Redactor,
  describe: DescribeText,
): PlannedPlace[] {
  const places = new Map<string, PlannedPlace>();
  const add = (
    store: ForgetStoreName,
    name: string,
    effect: ForgetEffect,
    passages: ForgetPassage[],
  ): void => {
    const key = `${store} ${name}`;
    const place = places.get(key) ?? { store, name, count: 0, effect, passages: [] };
    places.set(key, { ...place, count: place.count + 1, passages: [...place.passages, ...passages] });
  };
  for (const table of listTables(database)) {
    const store = stores[table.name] ?? 'state';
    for (const key of findMatchingRows(database, table, redactor)) {
      const row = readRow(database, table, key);
      const isDeleted = deletedRows.has(table.name);
      const passages = isDeleted ? [] : describeColumns(table, row, describe);
      add(store, describeRow(table, row), isDeleted ? 'removed' : 'edited', passages);
    }
  }
  for (const { update, bytes } of findFiles(database, redactor)) {
    const passages = describe(bytes);
    add('queue', update.slice(0, 8), passages.length === 0 ? 'replaced' : 'edited', passages);
  }
  return [...places.values()];
}

function describeColumns(table: Table, row: Row, describe: DescribeText): ForgetPassage[] {
  const columns = table.columns.filter((column) => !isPathColumn(table, column));
  return columns.flatMap((column) => describeCell(row[column] ?? null, describe));
}

function describeRow({ name }: Table, row: Row): string {
  const value = {
    changes: 'path',
    replaced_files: 'path',
    created_folders: 'path',
    transactions: 'id',
    updates: 'id',
    update_progress: 'id',
    update_secrets: 'update_id',
    answers: 'question',
  }[name];
  const text = value === undefined ? name : String(row[value]);
  return value === 'path' || value === 'question' || value === undefined
    ? text.replace(/^vault\//, '')
    : text.slice(0, 8);
}

/**
 * Removes the words from all tables in one transaction, and points the journal to the rewritten objects of history.
 * `assertHeld` throws if the lock was lost.
 */
export function redactDurable(
  database: Database,
  redactor: Redactor,
  { ids, touched }: RewrittenObjects,
  assertHeld: () => void,
): void {
  database.pragma('secure_delete = on');
  database
    .transaction(() => {
      assertHeld();
      redactFiles(database, redactor);
      for (const table of listTables(database))
        for (const key of findMatchingRows(database, table, redactor))
          redactRow(database, table, key, redactor);
      const isTouched = new Set(touched);
      const selectCommits = database.prepare(
        'select seq, commit_hash as "commit" from transactions where commit_hash is not null',
      );
      const moveCommit = database.prepare(
        'update transactions set commit_hash = ?, forgotten = max(forgotten, ?) where seq = ?',
      );
      for (const { seq, commit } of selectCommits.all() as { seq: number; commit: string }[])
        if (ids.has(commit) || isTouched.has(commit))
          moveCommit.run(ids.get(commit) ?? commit, Number(isTouched.has(commit)), seq);
      const selectBlobs = database
        .prepare('select distinct previous_blob_id from changes where previous_blob_id is not null')
        .pluck();
      const moveBlob = database.prepare('update changes set previous_blob_id = ? where previous_blob_id = ?');
      for (const id of selectBlobs.all() as string[]) if (ids.has(id)) moveBlob.run(ids.get(id), id);
      // It may have been lost meanwhile; nothing is changed then.
      assertHeld();
    })
    .immediate();
}

function findMatchingRows(database: Database, table: Table, redactor: Redactor): Row[] {
  // The parts of a file are joined by `findFiles`.
  if (table.name === 'update_parts') return [];
  if (table.name !== 'update_progress') return findRows(database, table, redactor);
  const rows = database.prepare('select rowid as key0, progress from update_progress').all() as {
    key0: number;
    progress: Buffer;
  }[];
  return rows.flatMap(({ key0, progress }) => (redactor.matchesBytes(unzip(progress)) ? [{ key0 }] : []));
}

function unzip(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes);
  } catch {
    return bytes;
  }
}

function redactRow(database: Database, table: Table, key: Row, redactor: Redactor): void {
  if (deletedRows.has(table.name)) return deleteRow(database, table, key);
  const row = readRow(database, table, key);
  const redacted = Object.fromEntries(
    table.columns.map((column) => {
      const cell = row[column] ?? null;
      return [
        column,
        isPathColumn(table, column) && typeof cell === 'string'
          ? redactor.redactPath(cell)
          : redactCell(cell, redactor),
      ];
    }),
  );
  updateRow(database, table, key, redacted);
  if (table.name === 'transactions')
    database.prepare('update transactions set forgotten = 1 where seq = ?').run(row['seq']);
  if (table.name === 'changes' || table.name === 'created_folders')
    database.prepare('update transactions set forgotten = 1 where seq = ?').run(row['transaction_seq']);
  if (table.name === 'updates') cancelEmptyUpdate(database, String(redacted['id']), redactor.marker);
}

function isPathColumn({ name }: Table, column: string): boolean {
  return (
    /^(?:path|moved_from|target|item|source|own)$/.test(column) &&
    /^(?:changes|created_folders|imported|session_records)$/.test(name)
  );
}

/** An update without any input left would only ask what it means. */
function cancelEmptyUpdate(database: Database, id: string, marker: string): void {
  const row = database.prepare('select input, files from updates where id = ?').get(id) as {
    input: string;
    files: string;
  };
  const input = parseJson(row.input) as { text?: unknown } | undefined;
  if (input?.text !== marker || row.files !== '[]') return;
  database
    .prepare(`update updates set state = 'cancelled' where id = ? and state in ('waiting', 'parked')`)
    .run(id);
}

/** The size of a part, as the queue reads it. */
const partBytes = 1_048_576;

type StoredFile = { update: string; file: number; bytes: Buffer };

/** The files of updates that contain the words. */
function* findFiles(database: Database, redactor: Redactor): Generator<StoredFile> {
  const files = database.prepare('select distinct update_id as "update", file from update_parts').all();
  const parts = database
    .prepare('select bytes from update_parts where update_id = ? and file = ? order by part')
    .pluck();
  for (const { update, file } of files as { update: string; file: number }[]) {
    const bytes = Buffer.concat(parts.all(update, file) as Buffer[]);
    if (redactor.matchesBytes(bytes)) yield { update, file, bytes };
  }
}

function redactFiles(database: Database, redactor: Redactor): void {
  const selectStagedAt = database
    .prepare('select staged_at from update_parts where update_id = ? and file = ?')
    .pluck();
  const clear = database.prepare('delete from update_parts where update_id = ? and file = ?');
  const insert = database.prepare(
    'insert into update_parts (update_id, file, part, staged_at, bytes) values (?, ?, ?, ?, ?)',
  );
  const selectFiles = database.prepare('select files from updates where id = ?').pluck();
  const setFiles = database.prepare('update updates set files = ? where id = ?');
  for (const { update, file, bytes } of findFiles(database, redactor)) {
    const redacted = redactor.redactBytes(bytes);
    const stagedAt = selectStagedAt.get(update, file);
    clear.run(update, file);
    for (let part = 0; part * partBytes < redacted.length; part += 1) {
      const bytesOfPart = redacted.subarray(part * partBytes, (part + 1) * partBytes);
      insert.run(update, file, part, stagedAt, bytesOfPart);
    }
    const stored = selectFiles.get(update) as string | undefined;
    const described = stored === undefined ? [] : (JSON.parse(stored) as { name: string; bytes: number }[]);
    const changed = described.map((each, index) =>
      index === file ? { ...each, bytes: redacted.length } : each,
    );
    if (stored !== undefined) setFiles.run(JSON.stringify(changed), update);
  }
}
