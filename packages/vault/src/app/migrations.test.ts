import { expect, it } from 'vitest';
import { orderMigrations } from './migrations.ts';

it('orderMigrations sorts the migrations of all modules by version', () => {
  expect(
    orderMigrations([
      { 1: 'a', 10: 'j' },
      { 2: 'b', 3: 'c', 9: 'i' },
      { 4: 'd', 5: 'e', 6: 'f', 7: 'g', 8: 'h' },
    ]),
  ).toEqual('abcdefghij'.split(''));
});

it('orderMigrations rejects duplicate and missing versions', () => {
  expect(() => orderMigrations([{ 1: 'a', 2: 'b' }, { 2: 'c' }])).toThrow('1, 2, 2');
  expect(() => orderMigrations([{ 1: 'a' }, { 3: 'c' }])).toThrow('1, 3');
});
