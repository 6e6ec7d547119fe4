// Measures commits and the bare sequence of calls alternately, in one process on one disk.
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  writeSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openKeepsake, readEnvironment } from '../packages/vault/dist/app/index.js';
import { tools } from '../packages/vault/dist/tools/index.js';

const [small, large, state, rounds] = process.argv.slice(2);
const open = async (vault, name) => {
  const keepsake = await openKeepsake({
    vault,
    state: join(state, name),
    environment: readEnvironment(),
  });
  await keepsake.catalogue.contents();
  return keepsake;
};
const [few, many] = [await open(small, 'small'), await open(large, 'large')];
const call = (name, input, run) => tools.find((tool) => tool.name === name).call(input, run);
const middle = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const bareFolder = join(state, 'bare');
mkdirSync(bareFolder, { recursive: true });
const journal = new Database(join(bareFolder, 'journal.sqlite'));
journal.pragma('journal_mode = WAL');
journal.pragma('synchronous = FULL');
journal.exec('create table changes (id integer primary key, path text, before blob, after blob)');
const insert = journal.prepare('insert into changes (path, before, after) values (?, ?, ?)');
const content = Buffer.alloc(4096, 'a line of text\n');
writeFileSync(join(bareFolder, 'note.md'), content);

const windows = [];
function bareSequence() {
  insert.run('note.md', content, content);
  const fd = openSync(join(bareFolder, 'aside'), 'w');
  writeSync(fd, content);
  fsyncSync(fd);
  closeSync(fd);
  const start = performance.now();
  lstatSync(join(bareFolder, 'note.md'));
  renameSync(join(bareFolder, 'aside'), join(bareFolder, 'note.md'));
  windows.push(performance.now() - start);
  const folder = openSync(bareFolder, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

async function committing(keepsake, round) {
  const run = keepsake.writeRun('model');
  await call('read', { paths: 'note.md' }, run);
  const old = round === 0 ? '# Note' : `# Note ${round - 1}`;
  const outcome = await call('edit', { path: 'note.md', old: `${old}\n`, new: `# Note ${round}\n` }, run);
  if (outcome.kind !== 'result' || outcome.result.value.errors.length > 0)
    throw new Error(JSON.stringify(outcome));
  const start = performance.now();
  const written = await run.transaction.commit({ origin: 'bench', summary: 'edit' });
  if (written.kind !== 'written') throw new Error(JSON.stringify(written));
  return performance.now() - start;
}

const times = { small: [], large: [], bare: [] };
for (let round = 0; round < Number(rounds); round += 1) {
  times.small.push(await committing(few, round));
  times.large.push(await committing(many, round));
  const start = performance.now();
  bareSequence();
  times.bare.push(performance.now() - start);
}
console.log(
  JSON.stringify({
    small: middle(times.small),
    large: middle(times.large),
    bare: middle(times.bare),
    window: middle(windows),
  }),
);
journal.close();
await few.close();
await many.close();
