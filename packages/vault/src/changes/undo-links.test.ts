import { expect, it } from 'vitest';
import { changesDatabase } from '../../../../test/changes-database.ts';
import { createUndoLinks } from './undo-links.ts';
import type { UndoLinks } from './undo-links.ts';

type Made = { id: string; paths: string[]; undoes?: string; state?: string };

function linksBetween(...transactions: Made[]): UndoLinks {
  const database = changesDatabase();
  const insert = database.prepare(
    `insert into transactions (id, at, origin, summary, state, undoes) values (?, 1, '', '', ?, ?)`,
  );
  const insertChange = database.prepare(
    'insert into changes (transaction_seq, position, path) values (?, ?, ?)',
  );
  for (const { id, paths, undoes = null, state = 'applied' } of transactions) {
    const { lastInsertRowid } = insert.run(id, state, undoes);
    for (const [position, path] of paths.entries()) insertChange.run(lastInsertRowid, position, path);
  }
  return createUndoLinks(database);
}

it('undo links report a transaction as undone once all its files are undone, and name the last undo', () => {
  const part = { id: 'part', paths: ['vault/a.md'], undoes: 'made' };
  const made = { id: 'made', paths: ['vault/a.md', 'vault/b.md'] };
  const partly = linksBetween(made, part);
  expect([partly.undoOf('made'), partly.undoOf('made', 'vault/a.md' as never)]).toEqual([undefined, 'part']);
  const wholly = linksBetween(made, part, { id: 'rest', paths: ['vault/b.md'], undoes: 'made' });
  expect([wholly.undoOf('made'), wholly.undoTargetOf('rest')]).toEqual(['rest', 'made']);
});

it('undo links ignore an undo that was itself undone or reverted', () => {
  const made = { id: 'made', paths: ['vault/a.md'] };
  const undo = { id: 'undo', paths: ['vault/a.md'], undoes: 'made' };
  const redone = linksBetween(made, undo, { id: 'redo', paths: ['vault/a.md'], undoes: 'undo' });
  expect([redone.undoOf('made'), redone.undoOf('undo')]).toEqual([undefined, 'redo']);
  expect(linksBetween(made, { ...undo, state: 'reverted' }).undonePaths('made')).toEqual(new Set());
});

it('undo links ignore folders: a transaction is undone once all its files are', () => {
  const made = { id: 'made', paths: ['vault/notes/a.md', 'vault/notes'] };
  const links = linksBetween(made, { id: 'undo', paths: ['vault/notes/a.md'], undoes: 'made' });
  expect(links.undoOf('made')).toBe('undo');
});
