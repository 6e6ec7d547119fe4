import { expect, it } from 'vitest';
import { orderMigrations } from './migrations.ts';

it('orders the migrations of all modules by the version that each makes', () => {
  expect(
    orderMigrations([
      { 1: 'a', 10: 'j' },
      { 2: 'b', 3: 'c', 9: 'i' },
      { 4: 'd', 5: 'e', 6: 'f', 7: 'g', 8: 'h' },
    ]),
  ).toEqual('abcdefghij'.split(''));
});

it('refuses a version that two modules make, and one that none makes', () => {
  expect(() => orderMigrations([{ 1: 'a', 2: 'b' }, { 2: 'c' }])).toThrow('1, 2, 2');
  expect(() => orderMigrations([{ 1: 'a' }, { 3: 'c' }])).toThrow('1, 3');
});
