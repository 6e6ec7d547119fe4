import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, inflateSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import type { Keepsake } from '../../packages/vault/src/app/index.ts';
import { createFileChange } from '../../packages/vault/src/changes/index.ts';
import type { VaultPath } from '../../packages/vault/src/vault/index.ts';
import { forgetWords } from '../forget-target.ts';
import { randomNumbers } from '../random-numbers.ts';
import { runCommand } from '../run-command.ts';
import { program } from './program.ts';

/** Part of every marked word and of nothing else. */
const mark = 'quokka';
const markedSentence = (word: string): string => `The marked word is ${word}.`;

type World = { home: string; vault: string; variables: NodeJS.ProcessEnv; keepsake: Keepsake };

/** The ways by which a word gets into a vault and its state. Each leaves it in other places. */
const ways: Record<string, (world: World, word: string, number: number) => Promise<unknown>> = {
  write: ({ keepsake }, word, number) => write(keepsake, `notes/w${number}.md`, note(word)),
  async edit({ keepsake }, word, number) {
    await write(keepsake, `notes/e${number}.md`, note(word));
    await write(keepsake, `notes/e${number}.md`, '# Edited\n\nNothing here.\n');
  },
  async rename({ keepsake }, word, number) {
    await write(keepsake, `notes/${word}/n${number}.md`, '# Named\n\nOnly the folder has it.\n');
    await keepsake.callTool(
      toolCall('move', { from: `notes/${word}/n${number}.md`, to: `notes/${word} b.md` }),
    );
  },
  async delete({ keepsake }, word, number) {
    await write(keepsake, `notes/d${number}.md`, note(word));
    await keepsake.callTool(toolCall('delete', { path: `notes/d${number}.md` }));
  },
  async undo({ keepsake }, word, number) {
    const id = await write(keepsake, `notes/u${number}.md`, note(word));
    await keepsake.changes.undo(id);
  },
  add: ({ keepsake }, word) =>
    keepsake.agents.updates.accept({ text: `Keep this. ${markedSentence(word)}`, files: [], source }),
  queue: ({ keepsake }, word) =>
    keepsake.agents.updates.accept({
      text: 'A file',
      files: [
        { name: 'file.md', bytes: Buffer.concat([Buffer.alloc(1_048_570, 'a '), Buffer.from(` ${word} b`)]) },
      ],
      source,
    }),
  async sessions({ home, keepsake }, word, number) {
    const spool = join(home, 'state', 'keepsake', 'spool');
    mkdirSync(spool, { recursive: true });
    const event = { key: String(number), vault: keepsake.root, text: `Hello. ${markedSentence(word)}` };
    writeFileSync(join(spool, `${String(number).padStart(32, '0')}.json`), JSON.stringify(event));
  },
  async answers({ keepsake }, word, number) {
    keepsake.state
      .databases()
      .durable.prepare(
        `insert into answers (id, asker, thread, question, asked_at, sight, sources, bytes, outcome)
         values (?, 'person', ?, ?, 1, '', 0, 1, ?)`,
      )
      .run(`a${number}`, `a${number}`, `Where is ${word}?`, JSON.stringify({ text: note(word) }));
  },
  async import({ home, vault, variables }, word, number) {
    const source = join(home, 'exports', String(number));
    mkdirSync(source, { recursive: true });
    writeFileSync(join(source, `imported ${word}.md`), note(word));
    await runCommand(['import', source, '--into', `bucket/i${number}`, '--vault', vault], { variables });
    rmSync(source, { recursive: true });
  },
  async journal({ keepsake }, word, number) {
    const change = createFileChange(toPath(`notes/h${number}.md`), null, Buffer.from(note(word)));
    const metadata = { origin: 'campaign', summary: `held ${word}` };
    await keepsake.changes.writer.holdForApproval(change === null ? [] : [change], metadata);
  },
  async outside({ vault }, word, number) {
    writeFileSync(join(vault, `notes/o${number}.md`), note(word.toUpperCase()));
  },
};

const source = { kind: 'person', name: 'campaign' } as const;

function note(word: string): string {
  return `# Title\n\nFirst sentence. ${markedSentence(word)} Last sentence.\n`;
}

function toPath(name: string): VaultPath {
  return `vault/${name}` as VaultPath;
}

function toolCall(tool: string, input: object): Parameters<Keepsake['callTool']>[0] {
  return { tool, input, reader: 'person', door: 'command-line', origin: 'campaign' };
}

async function write(keepsake: Keepsake, name: string, text: string): Promise<string> {
  const present = await keepsake.readFile(toPath(name));
  const before = present.kind === 'file' ? present.bytes : null;
  const change = createFileChange(toPath(name), before, Buffer.from(text));
  const metadata = { origin: 'campaign', summary: `wrote ${name}` };
  const result = await keepsake.changes.writer.write(change === null ? [] : [change], metadata);
  if (result.kind !== 'written') throw new Error(`${name}: ${result.kind}`);
  return result.id;
}

/**
 * Brings marked words into a vault in every way, forgets them one by one, and kills some of the processes that forget. Then a
 * search of its own must find no trace of them, and all other files and changes must be the same.
 */
export async function forgetCampaign(count: number, kills = Math.ceil(count / 10)): Promise<number> {
  const world = await createWorld();
  try {
    const random = randomNumbers(7);
    const next = (limit: number): number => Math.floor(random() * limit);
    const words = Array.from({ length: count }, (_, number) => `${mark}-${number}x${next(1e9).toString(36)}`);
    const control = await writeControl(world.keepsake);
    for (const [number, word] of words.entries()) {
      const bring = Object.values(ways)[number % Object.keys(ways).length];
      await bring?.(world, word, number);
    }
    await index(world.keepsake);
    await world.keepsake.changes.record();
    const before = await readControl(world.keepsake, control);
    if (findTraces(world.home).length < 5) throw new Error('the search of the campaign finds too little');
    for (const [number, word] of words.entries())
      if (number < kills) await killForgetting(world, word, next);
      else await forget(world.keepsake, word);
    const failures = [
      ...findOrphanedVectors(world.keepsake),
      ...((await readControl(world.keepsake, control)) === before ? [] : ['other files or changes differ']),
      ...(await world.keepsake.changes.checkHistory()).problems,
    ];
    await world.keepsake.close();
    failures.push(...findTraces(world.home));
    for (const failure of failures.slice(0, 20)) console.log(failure);
    console.log(
      `${count} words in ${Object.keys(ways).length} ways, ${kills} kills, ${failures.length} problems`,
    );
    return failures.length;
  } finally {
    rmSync(world.home, { recursive: true, force: true });
  }
}

async function createWorld(): Promise<World> {
  const home = mkdtempSync(join(tmpdir(), 'keepsake-forget-'));
  const vault = join(home, 'vault');
  for (const folder of [vault, join(home, 'tmp'), join(vault, 'notes')]) mkdirSync(folder);
  const variables = { HOME: home, XDG_STATE_HOME: join(home, 'state'), TMPDIR: join(home, 'tmp') };
  await runCommand(['init', '--vault', vault], { variables, cwd: vault });
  return { home, vault, variables, keepsake: await open(vault, variables) };
}

function open(vault: string, variables: NodeJS.ProcessEnv): Promise<Keepsake> {
  return openKeepsake({ vault, environment: readEnvironment({ PATH: process.env['PATH'], ...variables }) });
}

type Control = { names: string[]; ids: string[] };

/** Files and changes that have nothing to do with the words. */
async function writeControl(keepsake: Keepsake): Promise<Control> {
  const control: Control = { names: [], ids: [] };
  for (let number = 0; number < 10; number += 1) {
    const name = `notes/control${number}.md`;
    control.ids.push(await write(keepsake, name, `# Control ${number}\n\nFirst.\n`));
    control.ids.push(await write(keepsake, name, `# Control ${number}\n\nSecond.\n`));
    control.names.push(name);
  }
  return control;
}

async function readControl(keepsake: Keepsake, { names, ids }: Control): Promise<string> {
  const files = names.map((name) => readFileSync(join(keepsake.root, name), 'utf8'));
  const diffs = await Promise.all(ids.map(async (id) => keepsake.changes.find(id)?.diffs()));
  return JSON.stringify({ files, diffs });
}

/** Vectors of a model that is not installed here. */
async function index(keepsake: Keepsake): Promise<void> {
  await keepsake.catalogue.refresh();
  await keepsake.search.prepare('fast');
  await keepsake.search.withIndex(async ({ index: chunks }) => {
    const table = chunks.vectors('campaign');
    for (const { hash } of table.chunksWithoutVectors(10_000))
      table.put(hash, [new Float32Array(64).fill(1)]);
  });
}

function findOrphanedVectors({ state }: Keepsake): string[] {
  const database = new Database(join(state.folder(), 'index.sqlite'), { readonly: true });
  try {
    const glob = 'keepsake_vectors_????????????';
    const select = `select name from sqlite_master where type = 'table' and name glob '${glob}'`;
    const tables = database.prepare(select).pluck().all() as string[];
    if (tables.length === 0) return ['there is no table of vectors'];
    return tables.flatMap((table) => {
      const orphaned = `select count(*) from ${table} where hash not in (select hash from documents)`;
      const found = Number(database.prepare(orphaned).pluck().get());
      return found === 0 ? [] : [`${found} vectors of forgotten text`];
    });
  } finally {
    database.close();
  }
}

async function forget(keepsake: Keepsake, word: string): Promise<void> {
  const receipt = await forgetWords(keepsake, word);
  if (receipt.places.length === 0) console.log(`${word} was nowhere`);
  for (const { store, name } of receipt.remaining) console.log(`${word} is still in ${store} ${name}`);
}

/** After a kill, the next process completes the work, or nothing was done yet. */
async function killForgetting(world: World, word: string, next: (limit: number) => number): Promise<void> {
  await world.keepsake.close();
  const args = [program, 'forget', word, '--yes', '--vault', world.vault];
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], ...world.variables },
    stdio: 'ignore',
  });
  const ended = new Promise((done) => child.once('exit', done));
  await Promise.race([ended, sleep(400 + next(4_000))]);
  child.kill('SIGKILL');
  await ended;
  world.keepsake = await open(world.vault, world.variables);
  if (existsSync(join(world.keepsake.state.folder(), 'forgetting.json')))
    console.log(`${word}: the next process did not complete the work`);
  const { places } = await world.keepsake.forget.plan({ kind: 'words', words: [word] });
  if (places.length > 0) await forget(world.keepsake, word);
}

/** Everything below a folder that contains the mark: names, bytes, compressed files, and all objects of git. */
function findTraces(folder: string): string[] {
  const pattern = new RegExp(mark, 'i');
  const found: string[] = [];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (pattern.test(entry.name)) found.push(`the name ${relative(folder, path)}`);
    if (entry.name === 'HEAD' && existsSync(join(dirname(path), 'objects'))) {
      const args = ['--git-dir', dirname(path), 'cat-file', '--batch-all-objects', '--batch', '--buffer'];
      const { stdout } = spawnSync('git', args, { maxBuffer: 2 ** 30 });
      if (pattern.test(stdout.toString('latin1')))
        found.push(`an object of ${relative(folder, dirname(path))}`);
    }
    if (!entry.isFile()) continue;
    const bytes = readFileSync(path);
    const forms = [bytes.toString('latin1'), bytes.toString('utf16le'), ...unpack(bytes)];
    if (forms.some((form) => pattern.test(form))) found.push(relative(folder, path));
  }
  return found;
}

function unpack(bytes: Buffer): string[] {
  return [inflateSync, gunzipSync].flatMap((decompress) => {
    try {
      return [decompress(bytes).toString('latin1')];
    } catch {
      return [];
    }
  });
}
