import type { Database } from 'better-sqlite3';
import { formatLocalTime } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import { uncachedTokens } from './run-limits.ts';
import type { Ledger, UsageTotals, DailyUsage } from './run-limits.ts';

/** Migrations of the ledger's tables in the durable database, by version. */
export const ledgerMigrations = {
  4: `create table spend (
     day text primary key,
     input integer not null default 0,
     cached integer not null default 0,
     output integer not null default 0,
     cost real not null default 0
   ) without rowid;`,

  8: `alter table spend add column written integer not null default 0;
   alter table spend add column steps integer not null default 0;
   create table spend_on_runs (
     run text primary key,
     steps integer not null,
     input integer not null,
     cached integer not null,
     written integer not null,
     output integer not null,
     cost real
   ) without rowid;`,
} as const;

export const zeroUsage: DailyUsage = {
  steps: 0,
  tokens: 0,
  input: 0,
  cached: 0,
  written: 0,
  output: 0,
  cost: 0,
};

/** Stores model usage by day in the local time zone, and by update or question. */
export function createLedger(database: Database, clock: Clock): Ledger {
  const columns = 'steps, input, cached, written, output, cost';
  const more = `steps = steps + 1, input = input + @input, cached = cached + @cached, written = written + @written,
    output = output + @output, cost = cost + @cost`;
  const addTo = (table: string, key: string) =>
    database.prepare(
      `insert into ${table} (${key}, ${columns}) values (@${key}, 1, @input, @cached, @written, @output, @cost)
       on conflict (${key}) do update set ${more}`,
    );
  const addToDay = addTo('spend', 'day');
  const addToRun = addTo('spend_on_runs', 'run');
  const ofDay = database.prepare(`select ${columns} from spend where day = ?`);
  const ofRun = database.prepare(`select ${columns} from spend_on_runs where run = ?`);
  const today = (): string => formatLocalTime(clock()).slice(0, 10);
  const record = database.transaction<Ledger['record']>((run, usage, cost) => {
    addToDay.run({ day: today(), ...usage, cost: cost ?? 0 });
    addToRun.run({ run, ...usage, cost });
  });
  return {
    usageToday() {
      const spent = ofDay.get(today()) as Omit<DailyUsage, 'tokens'> | undefined;
      return spent === undefined ? zeroUsage : { ...spent, tokens: uncachedTokens(spent) };
    },
    usageOfRun: (run) => (ofRun.get(run) as UsageTotals | undefined) ?? null,
    record,
  };
}
