// No words are lost: of 150 saves by editors in the very moment an agent edits the same note, none is lost.
// Limit: 150 s
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { broken, failed, held, newToken, newVault, serve, sleep, vault, world } from './lib/world.mjs';

const swap = (file) =>
  `const fs = require('fs'); const text = fs.readFileSync(${file}, 'utf8').replace('line 39\\n', 'PERSON\\n');`;
const node = (script) => (file) => [
  process.execPath,
  ['-e', `${swap(JSON.stringify(file))} ${script(JSON.stringify(file))}`],
];
// Vim leaves quietly when it cannot ask whether to save over a change it noticed; so it says when it has saved.
const vim = (settings) => (file) => [
  'vim',
  [
    '-Nu',
    'NONE',
    '-es',
    '-c',
    `set ${settings}`,
    '-c',
    'try | %s/^line 39$/PERSON/ | write! | call writefile([], $SAVED) | finally | quit! | endtry',
    file,
  ],
];
const editors = {
  'sed -i': (file) => ['sed', ['-i', 's/^line 39$/PERSON/', file]],
  'in place': node((file) => `fs.writeFileSync(${file}, text);`),
  'fsync and rename': node(
    (file) =>
      `const fd = fs.openSync(${file} + '~', 'w'); fs.writeSync(fd, text); fs.fsyncSync(fd); fs.closeSync(fd); fs.renameSync(${file} + '~', ${file});`,
  ),
  ...(spawnSync('vim', ['--version']).status === 0 && {
    'vim that renames': vim('backupcopy=no writebackup'),
    'vim that writes in place': vim('backupcopy=yes writebackup'),
    'vim without backup': vim('nobackup nowritebackup'),
  }),
};

await newVault();
const token = await newToken('write');
const service = await serve();
const call = async (tool, input, run) =>
  (await service.call(token, 'POST', `tools/${tool}`, { run, input })).body;
const lost = [];
let [saves, merged] = [0, 0];
const names = Object.keys(editors);
for (const name of names) {
  // How long this editor takes until it saves, so that the edit can come at any moment of it.
  const pause = { sed: 6, vim: 40 }[name.slice(0, 3)] ?? 60;
  for (let round = 0; round < 150 / names.length; round++) {
    const path = `bucket/${name.replaceAll(' ', '-')}-${round}.md`;
    const file = join(vault, path);
    const read = () => readFileSync(file, 'utf8');
    writeFileSync(file, Array.from({ length: 40 }, (_, line) => `line ${line}\n`).join(''));
    await call('read', { paths: path }, path);
    const [command, args] = editors[name](file);
    const env = { ...process.env, SAVED: join(world, `saved-${name}-${round}`) };
    const person = new Promise((resolve) =>
      spawn(command, args, { stdio: 'ignore', env }).on('exit', resolve),
    );
    await sleep(Math.random() * pause);
    const edit = await call('edit', { path, old: 'line 0', new: 'AGENT' }, path);
    const isSaved = (await person) === 0 && (command !== 'vim' || existsSync(env.SAVED));
    if (!isSaved) continue;
    saves += 1;
    for (let i = 0; i < 15 && !read().includes('PERSON'); i++) await sleep(100);
    if (!read().includes('PERSON')) lost.push(name);
    // An editor that read the note before the edit saves over it; that is the person's to do.
    if (edit.result?.value?.errors?.length === 0 && read().includes('AGENT')) merged += 1;
  }
}
console.log(`${merged} of ${saves} were merged with the edit`);
if (lost.length > 0) broken(`${lost.length} of ${saves} saves are lost, as one by ${lost[0]}`);
if (saves < 100) failed(`only ${saves} saves were made`);
held();
