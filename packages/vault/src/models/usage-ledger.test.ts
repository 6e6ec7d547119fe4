import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { createLedger, ledgerMigrations } from './usage-ledger.ts';
import { calculateCost } from './run-limits.ts';
import type { Ledger } from './run-limits.ts';

const usage = { input: 1000, cached: 600, written: 300, output: 50 };

function aLedger(clock = () => 0): Ledger {
  const database = new Sqlite(':memory:');
  for (const statement of Object.values(ledgerMigrations)) database.exec(statement);
  return createLedger(database, clock);
}

describe('the ledger', () => {
  it('sums usage by update and by day; the sum of a day excludes cached tokens', () => {
    const ledger = aLedger();
    ledger.record('one', usage, 0.25);
    ledger.record('one', usage, 0.25);
    ledger.record('two', usage, 0.5);
    const twice = { steps: 2, input: 2000, cached: 1200, written: 600, output: 100, cost: 0.5 };
    expect(ledger.usageOfRun('one')).toEqual(twice);
    expect(ledger.usageToday()).toMatchObject({ steps: 3, tokens: 1350, written: 900, cost: 1 });
    expect(ledger.usageOfRun('three')).toBeNull();
  });

  it('reports no cost for an update if the cost of one of its steps is unknown', () => {
    const ledger = aLedger();
    ledger.record('one', usage, 0.25);
    ledger.record('one', usage, null);
    expect(ledger.usageOfRun('one')?.cost).toBeNull();
    expect(ledger.usageToday().cost).toBe(0.25);
  });

  it('starts a new sum each day', () => {
    let now = Date.parse('2026-01-01T12:00:00');
    const ledger = aLedger(() => now);
    ledger.record('one', usage, 1);
    now += 24 * 60 * 60 * 1000;
    expect(ledger.usageToday()).toMatchObject({ steps: 0, tokens: 0, cost: 0 });
  });
});

describe('the cost', () => {
  it('is calculated with separate prices for uncached, cached and cache-write tokens', () => {
    const prices = { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 };
    expect(calculateCost(usage, prices)).toBeCloseTo((100 * 3 + 600 * 0.3 + 300 * 3.75 + 50 * 15) / 1e6, 12);
    expect(calculateCost(usage, { input: 3, output: 15 })).toBeCloseTo((1000 * 3 + 50 * 15) / 1e6, 12);
    expect(calculateCost(usage, null)).toBeNull();
  });
});
