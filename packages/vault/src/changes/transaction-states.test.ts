import type { Database } from 'better-sqlite3';
import { expect, it } from 'vitest';
import { changesDatabase } from '../../../../test/changes-database.ts';
import { createTransactionStates } from './transaction-states.ts';

function withApplying(...ids: string[]): Database {
  const database = changesDatabase();
  for (const id of ids)
    database
      .prepare(`insert into transactions (id, at, origin, summary, state) values (?, 1, '', '', 'applying')`)
      .run(id);
  return database;
}

const storedStates = (database: Database): unknown[] =>
  database.prepare('select state from transactions order by seq').pluck().all();

it('counts a state that is not written yet', () => {
  const database = withApplying('a', 'b');
  const { states } = createTransactionStates(database);
  states.markLater('a', 'applied');
  expect(states.unfinished().map(({ id }) => id)).toEqual(['b']);
  expect(storedStates(database)).toEqual(['applying', 'applying']);
});

it('writes a state that is left for later in a moment, or with the next commit', async () => {
  const database = withApplying('a', 'b');
  const { states, commitWithStates } = createTransactionStates(database);
  states.markLater('a', 'applied');
  await new Promise(setImmediate);
  expect(storedStates(database)).toEqual(['applied', 'applying']);
  states.markLater('b', 'reverted');
  commitWithStates(() => expect(storedStates(database)).toEqual(['applied', 'reverted']))();
  expect(storedStates(database)).toEqual(['applied', 'reverted']);
});

it('keeps a state for later when the commit that should have written it fails', () => {
  const database = withApplying('a');
  const { states, commitWithStates } = createTransactionStates(database);
  states.markLater('a', 'applied');
  const failing = commitWithStates((reason: string) => {
    throw new Error(reason);
  });
  expect(() => failing('disk full')).toThrow('disk full');
  expect(storedStates(database)).toEqual(['applying']);
  states.flush();
  expect(storedStates(database)).toEqual(['applied']);
});

it('syncs everything again after a state that need not be', () => {
  const database = withApplying('a');
  const { states } = createTransactionStates(database);
  database.pragma('synchronous = FULL');
  states.mark('a', 'applied');
  expect(database.pragma('synchronous', { simple: true })).toBe(2);
});
