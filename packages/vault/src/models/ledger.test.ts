import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { createLedger, ledgerMigrations } from './ledger.ts';
import { costOf } from './limits.ts';
import type { Ledger } from './limits.ts';

const usage = { input: 1000, cached: 600, written: 300, output: 50 };

function aLedger(clock = () => 0): Ledger {
  const database = new Sqlite(':memory:');
  for (const statement of Object.values(ledgerMigrations)) database.exec(statement);
  return createLedger(database, clock);
}

describe('what was spent', () => {
  it('is summed up by update and by day, what came from the cache not among the tokens of the day', () => {
    const ledger = aLedger();
    ledger.add('one', usage, 0.25);
    ledger.add('one', usage, 0.25);
    ledger.add('two', usage, 0.5);
    const twice = { steps: 2, input: 2000, cached: 1200, written: 600, output: 100, cost: 0.5 };
    expect(ledger.spentOn('one')).toEqual(twice);
    expect(ledger.today()).toMatchObject({ steps: 3, tokens: 1350, written: 900, cost: 1 });
    expect(ledger.spentOn('three')).toBeNull();
  });

  it('has no cost for an update of which a step had none', () => {
    const ledger = aLedger();
    ledger.add('one', usage, 0.25);
    ledger.add('one', usage, null);
    expect(ledger.spentOn('one')?.cost).toBeNull();
    expect(ledger.today().cost).toBe(0.25);
  });

  it('begins anew with the day', () => {
    let now = Date.parse('2026-01-01T12:00:00');
    const ledger = aLedger(() => now);
    ledger.add('one', usage, 1);
    now += 24 * 60 * 60 * 1000;
    expect(ledger.today()).toMatchObject({ steps: 0, tokens: 0, cost: 0 });
  });
});

describe('the cost', () => {
  it('counts what was read anew, from the cache and into it, each at its price', () => {
    const prices = { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 };
    expect(costOf(usage, prices)).toBeCloseTo((100 * 3 + 600 * 0.3 + 300 * 3.75 + 50 * 15) / 1e6, 12);
    expect(costOf(usage, { input: 3, output: 15 })).toBeCloseTo((1000 * 3 + 50 * 15) / 1e6, 12);
    expect(costOf(usage, null)).toBeNull();
  });
});
