// Accepts and processes updates until it is killed. Prints the key of each acknowledged update.
import { writeSync } from 'node:fs';
import Database from 'better-sqlite3';
import {
  createQueueTables,
  createSqliteQueue,
  startQueueRunner,
} from '../../packages/vault/dist/queue/index.js';

const [file, from, to] = process.argv.slice(2);
const database = new Database(file, { timeout: 10_000 });
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
if (database.pragma('user_version', { simple: true }) === 0) {
  createQueueTables(database);
  database.exec(
    'create table effects (seq integer primary key autoincrement, id text unique, number integer)',
  );
  database.pragma('user_version = 1');
}
const queue = createSqliteQueue(database, Date.now, { leaseMs: 300, backoffMs: 50, maxAttempts: 1_000 });
// Like the journal: a committed update is not committed again.
const commit = database.prepare('insert or ignore into effects (id, number) values (?, ?)');
const runner = startQueueRunner({
  queue,
  handler: async ({ update: { id, input } }) => {
    commit.run(id, input);
    return { kind: 'done', result: null };
  },
  clock: Date.now,
  onError: (error) => process.stderr.write(`${error}\n`),
  pollIntervalMs: 50,
});
for (let number = Number(from); number < Number(to); number += 1) {
  await queue.accept(number, { key: `key-${number}` });
  // Synchronous, so that an acknowledgement is printed before the next update.
  writeSync(1, `${number}\n`);
  await new Promise((done) => setImmediate(done));
}
while (queue.peek() !== null) await new Promise((done) => setTimeout(done, 5));
await runner.stop();
