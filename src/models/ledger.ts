import type { Database } from 'better-sqlite3';
import { localTime } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import type { Ledger } from './limits.ts';

export const ledgerMigrations = [
  `create table spend (
     day text primary key,
     input integer not null default 0,
     cached integer not null default 0,
     output integer not null default 0,
     cost real not null default 0
   ) without rowid;`,
] as const;

/** What models have used, a row for each day of the person. */
export function createLedger(database: Database, clock: Clock): Ledger {
  const add = database.prepare(
    `insert into spend values (@day, @input, @cached, @output, @cost) on conflict (day) do update set
       input = input + @input, cached = cached + @cached, output = output + @output, cost = cost + @cost`,
  );
  const select = database.prepare('select input - cached + output as tokens, cost from spend where day = ?');
  const today = (): string => localTime(clock()).slice(0, 10);
  return {
    today: () =>
      (select.get(today()) as { tokens: number; cost: number } | undefined) ?? { tokens: 0, cost: 0 },
    add: (usage, cost) => void add.run({ day: today(), cost, ...usage }),
  };
}
