import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import type { Keepsake } from '../../packages/vault/src/app/index.ts';
import { renderTreeFile } from '../../packages/vault/src/changes/index.ts';
import type { FolderEntry } from '../../packages/vault/src/vault/index.ts';

/** Everything derived from the files, in a comparable form. */
export type Derived = { catalogue: string[]; index: string[]; tree: string };

/** The current derived data. */
export async function derivedNow(keepsake: Keepsake, folder: string, state: string): Promise<Derived> {
  return {
    catalogue: rowsOf(await keepsake.catalogue.contents()),
    index: indexRows(state),
    tree: readOrNothing(join(folder, 'tree.md')),
  };
}

/** The derived data of a build from scratch. */
export async function derivedFromScratch(folder: string): Promise<Derived> {
  const state = mkdtempSync(join(tmpdir(), 'keepsake-fresh-'));
  const keepsake = await openKeepsake({ vault: folder, state, environment: readEnvironment({ PATH: '' }) });
  try {
    await keepsake.search.withIndex(({ indexer }) => indexer.reconcile());
    await keepsake.search.indexDocuments({ signal: new AbortController().signal });
    const contents = await keepsake.catalogue.contents();
    return { catalogue: rowsOf(contents), index: indexRows(state), tree: renderTreeFile(contents) };
  } finally {
    await keepsake.close();
    rmSync(state, { recursive: true });
  }
}

/** The first difference, or null. */
export function difference(a: Derived, b: Derived): string | null {
  for (const part of ['catalogue', 'index'] as const) {
    const [has, wants] = [new Set(a[part]), new Set(b[part])];
    const wrong = a[part].find((row) => !wants.has(row)) ?? b[part].find((row) => !has.has(row));
    if (wrong !== undefined || a[part].length !== b[part].length)
      return `${part} (${a[part].length} rows, from scratch ${b[part].length}): ${wrong}`;
  }
  return a.tree === b.tree ? null : 'tree.md';
}

function rowsOf(folder: FolderEntry): string[] {
  const rows = [...folder.files].map(([name, { size, mtime, tokens, updated }]) =>
    JSON.stringify([`${folder.path}/${name}`, size, mtime, tokens, updated]),
  );
  return [`${folder.path}/`, ...rows, ...[...folder.folders.values()].flatMap(rowsOf)];
}

function indexRows(state: string): string[] {
  const database = new Database(join(state, 'index.sqlite'), { readonly: true });
  try {
    const sections = database
      .prepare(
        `select f.path, f.revision, f.updated, s.first_line, s.last_line, s.day, s.headings, s.kind, d.title, c.doc
         from keepsake_files f left join keepsake_sections s on f.id = s.file
           left join documents d on d.id = s.id left join content c on c.hash = d.hash
         order by f.path, s.first_line`,
      )
      .raw()
      .all();
    const counts = ['documents', 'keepsake_sections', 'documents_fts', 'content'].map(
      (table) => `${table}: ${String(database.prepare(`select count(*) from ${table}`).pluck().get())}`,
    );
    return [...sections.map((row) => JSON.stringify(row)), ...counts];
  } finally {
    database.close();
  }
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
