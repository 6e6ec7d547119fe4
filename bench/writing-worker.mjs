// Measures commits and the bare sequence in turn, in one process on one disk.
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
import { openKeepsake, readEnvironment } from '../dist/app/index.js';
import { tools } from '../dist/tools/index.js';

const [vault, state] = process.argv.slice(2);
const keepsake = await openKeepsake({ vault, state, environment: readEnvironment() });
await keepsake.catalogue.contents();
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

const [commits, bares] = [[], []];
for (let round = 0; round < 200; round += 1) {
  const run = keepsake.writeRun('model');
  await call('read', { paths: 'note.md' }, run);
  const old = round === 0 ? '# Note' : `# Note ${round - 1}`;
  const outcome = await call('edit', { path: 'note.md', old: `${old}\n`, new: `# Note ${round}\n` }, run);
  if (outcome.kind !== 'result' || outcome.result.value.errors.length > 0)
    throw new Error(JSON.stringify(outcome));
  let start = performance.now();
  const written = await run.transaction.commit({ origin: 'bench', summary: 'edit' });
  commits.push(performance.now() - start);
  if (written.kind !== 'written') throw new Error(JSON.stringify(written));
  start = performance.now();
  bareSequence();
  bares.push(performance.now() - start);
}
console.log(JSON.stringify({ commit: middle(commits), bare: middle(bares), window: middle(windows) }));
journal.close();
await keepsake.close();
