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

it('listIncomplete takes pending states into account', () => {
  const database = withApplying('a', 'b');
  const { states } = createTransactionStates(database);
  states.setStateLazily('a', 'applied');
  expect(states.listIncomplete().map(({ id }) => id)).toEqual(['b']);
  expect(storedStates(database)).toEqual(['applying', 'applying']);
});

it('a pending state is written shortly afterwards, or with the next commit', async () => {
  const database = withApplying('a', 'b');
  const { states, commitWithStates } = createTransactionStates(database);
  states.setStateLazily('a', 'applied');
  await new Promise(setImmediate);
  expect(storedStates(database)).toEqual(['applied', 'applying']);
  states.setStateLazily('b', 'reverted');
  commitWithStates(() => expect(storedStates(database)).toEqual(['applied', 'reverted']))();
  expect(storedStates(database)).toEqual(['applied', 'reverted']);
});

it('a state stays pending when the commit that should write it fails', () => {
  const database = withApplying('a');
  const { states, commitWithStates } = createTransactionStates(database);
  states.setStateLazily('a', 'applied');
  const failing = commitWithStates((reason: string) => {
    throw new Error(reason);
  });
  expect(() => failing('disk full')).toThrow('disk full');
  expect(storedStates(database)).toEqual(['applying']);
  states.flush();
  expect(storedStates(database)).toEqual(['applied']);
});

it('setState leaves the database at `synchronous = FULL`', () => {
  const database = withApplying('a');
  const { states } = createTransactionStates(database);
  database.pragma('synchronous = FULL');
  states.setState('a', 'applied');
  expect(database.pragma('synchronous', { simple: true })).toBe(2);
});
