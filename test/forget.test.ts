import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openKeepsake, readEnvironment } from '../packages/vault/src/app/index.ts';
import type { Keepsake } from '../packages/vault/src/app/index.ts';
import type { ForgetPlan } from '../packages/vault/src/contract/index.ts';
import { createFileChange } from '../packages/vault/src/changes/index.ts';
import type { VaultPath } from '../packages/vault/src/vault/index.ts';
import { forgetTarget, forgetWords } from './forget-target.ts';
import { runCommand } from './run-command.ts';
import { laidOut, layOut, temporaryFolder } from './temporary-vault.ts';
import type { Files } from './temporary-vault.ts';

const words = 'zebrafinch-7431';
const mark = /zebrafinch/i;
const line = `The safe opens with ${words}.`;

type Home = { home: string; vault: string; state: string; variables: NodeJS.ProcessEnv };

function createHome(files: Files = {}): Home {
  const home = temporaryFolder();
  const vault = join(home, 'vault');
  mkdirSync(vault);
  layOut(vault, { ...laidOut, ...files });
  const variables = { HOME: home, XDG_STATE_HOME: join(home, 'state'), TMPDIR: join(home, 'tmp') };
  mkdirSync(variables.TMPDIR);
  return { home, vault, state: join(home, 'state', 'keepsake', 'laid-out-vault'), variables };
}

function open({ vault, variables }: Home): Promise<Keepsake> {
  return openKeepsake({ vault, environment: readEnvironment({ PATH: process.env['PATH'], ...variables }) });
}

async function write(keepsake: Keepsake, name: string, content: string): Promise<string> {
  const path = `vault/${name}` as VaultPath;
  const present = await keepsake.readFile(path);
  const before = present.kind === 'file' ? present.bytes : null;
  const change = createFileChange(path, before, Buffer.from(content));
  const metadata = { origin: 'test', summary: `wrote ${name}` };
  const result = await keepsake.changes.writer.write(change === null ? [] : [change], metadata);
  return result.kind === 'written' ? result.id : '';
}

/** With the whole sentence, which is the same everywhere. */
function forget(keepsake: Keepsake) {
  return forgetTarget(keepsake, { kind: 'words', words: [words], wholeSentences: true });
}

/** What a plan shows, as `store name:line before → after`. */
function passagesOf({ places }: ForgetPlan): string[] {
  return places.flatMap(({ store, name, passages }) =>
    passages.map(({ line: number, before, after, count }) => {
      const place = number === null ? ` (${count})` : `:${number}`;
      return `${store} ${name}${place} ${before.map(({ text }) => text).join('')} → ${after}`;
    }),
  );
}

/** Everything below a folder that contains the words: names, bytes and objects of git. */
function traces(folder: string, pattern = mark): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (pattern.test(entry.name)) found.push(`the name ${path}`);
    if (entry.isFile() && pattern.test(readFileSync(path, 'latin1'))) found.push(path);
    if (entry.name === 'HEAD' && existsSync(join(entry.parentPath, 'objects'))) {
      const args = ['--git-dir', entry.parentPath, 'cat-file', '--batch-all-objects', '--batch', '--buffer'];
      const { stdout } = spawnSync('git', args, { maxBuffer: 2 ** 28 });
      if (pattern.test(stdout.toString('latin1'))) found.push(`an object of ${entry.parentPath}`);
    }
  }
  return found;
}

describe('forgetting words', () => {
  it('removes them from files, names, history and index, and keeps the ids and all other changes', async () => {
    const home = createHome({ 'notes/other.md': 'About something else.\n' });
    const keepsake = await open(home);
    const first = await write(keepsake, 'notes/safe.md', `# Safe\n\nKeep.\n${line}\n`);
    const named = await write(keepsake, `notes/${words}/${words}.md`, 'Nothing special.\n');
    const other = await write(keepsake, 'notes/other.md', 'Edited.\n');
    await keepsake.search.prepare('fast');
    await keepsake.changes.record();
    const receipt = await forget(keepsake);
    expect(receipt.remaining).toEqual([]);
    expect(JSON.stringify(receipt)).not.toMatch(mark);
    expect(readFileSync(join(home.vault, 'notes/safe.md'), 'utf8')).toMatch(/# Safe\n\nKeep\.\n$/);
    expect((await keepsake.changes.find(first)?.diffs())?.[0]?.diff).toContain('Keep.');
    expect(keepsake.changes.find(first)?.wasForgotten).toBe(true);
    expect(keepsake.changes.find(named)?.wasForgotten).toBe(true);
    expect(keepsake.changes.find(other)?.wasForgotten).toBe(false);
    expect((await keepsake.changes.undo(other)).kind).toBe('written');
    expect((await keepsake.changes.checkHistory()).problems).toEqual([]);
    await keepsake.close();
    expect(traces(home.home)).toEqual([]);
  });

  it('removes them from the queue, its files, stored answers and recorded sessions', async () => {
    const home = createHome();
    const keepsake = await open(home);
    const source = { kind: 'person', name: 'test' } as const;
    const files = [{ name: 'a.md', bytes: Buffer.from(`# A\n\nStay here.\n${line}\n`) }];
    const { id } = await keepsake.agents.updates.accept({ text: `Remember. ${line}`, files, source });
    const alone = await keepsake.agents.updates.accept({ text: line, files: [], source });
    const { durable } = keepsake.state.databases();
    durable
      .prepare(
        `insert into answers (id, asker, thread, question, asked_at, sight, sources, bytes) values ('a', 'person', 'a', ?, 1, '', 0, 1)`,
      )
      .run(`What is ${words}?`);
    const spool = join(home.home, 'state', 'keepsake', 'spool');
    mkdirSync(spool, { recursive: true });
    const event = (vault: string) => JSON.stringify({ key: 'k', vault, text: `Hello. ${line}` });
    writeFileSync(join(spool, `${'a'.repeat(32)}.json`), event(keepsake.root));
    expect((await forget(keepsake)).remaining).toEqual([]);
    expect(keepsake.agents.updates.find(id)?.input.text).toBe('Remember.');
    expect(keepsake.agents.updates.find(id)?.state).toBe('waiting');
    expect(keepsake.agents.updates.find(alone.id)?.state).toBe('cancelled');
    expect(durable.prepare('select count(*) from answers').pluck().get()).toBe(0);
    expect(readFileSync(join(spool, `${'a'.repeat(32)}.json`), 'utf8')).toContain('Hello.');
    await keepsake.close();
    expect(traces(home.home)).toEqual([]);
  });

  it('is completed by the next process after a crash', async () => {
    const home = createHome();
    const keepsake = await open(home);
    await write(keepsake, 'notes/safe.md', `Keep.\n${line}\n`);
    await keepsake.close();
    const rules = { version: 2, texts: [words], contents: [], salt: 's', language: 'en' };
    writeFileSync(join(home.state, 'forgetting.json'), JSON.stringify(rules));
    const next = await open(home);
    expect(readFileSync(join(home.vault, 'notes/safe.md'), 'utf8')).toMatch(
      /Keep\.\nThe safe opens with\.\n$/,
    );
    await next.close();
    expect(traces(home.home)).toEqual([]);
  });

  it('removes them from what a killed git process had packed of history', async () => {
    const home = createHome();
    const keepsake = await open(home);
    await write(keepsake, 'notes/safe.md', `Keep.\n${line}\n`);
    await keepsake.changes.record();
    const packs = join(home.state, 'history.git/objects/pack');
    spawnSync('git', [
      '-C',
      home.state,
      '--git-dir',
      'history.git',
      'pack-objects',
      '-q',
      '--all',
      `${packs}/.tmp-7-pack`,
    ]);
    const [pack = '', index = ''] = ['.pack', '.idx'].map((end) =>
      join(packs, readdirSync(packs).find((name) => name.endsWith(end)) ?? ''),
    );
    renameSync(index, join(packs, 'tmp_idx_7'));
    expect((await forget(keepsake)).remaining).toEqual([]);
    expect([pack, index].filter((file) => existsSync(file))).toEqual([]);
    expect(readdirSync(packs).filter((name) => !name.startsWith('pack-'))).toEqual([]);
    await keepsake.close();
    expect(traces(home.home)).toEqual([]);
  });

  it('works while another process has the vault open', async () => {
    const home = createHome();
    const [service, keepsake] = [await open(home), await open(home)];
    const upkeep = service.startUpkeep({ onEvent: () => undefined });
    await write(service, `notes/${words}.md`, `Keep.\n${line}\n`);
    await service.search.prepare('fast');
    expect((await forget(keepsake)).remaining).toEqual([]);
    await write(service, 'notes/later.md', 'Later.\n');
    await upkeep.stop();
    await keepsake.close();
    await service.close();
    expect(traces(home.home)).toEqual([]);
  });

  it('reports what it cannot remove, and does not keep the words in order to try again', async () => {
    const home = createHome();
    const keepsake = await open(home);
    await write(keepsake, 'notes/safe.md', line);
    writeFileSync(join(home.state, 'unknown.txt'), line);
    expect((await forget(keepsake)).remaining).toEqual([{ store: 'state', name: 'unknown.txt', count: 1 }]);
    expect(existsSync(join(home.state, 'forgetting.json'))).toBe(false);
    await keepsake.close();
  });

  it('refuses while an update is being processed, and changes nothing', async () => {
    const home = createHome({ 'notes/safe.md': line });
    const keepsake = await open(home);
    const source = { kind: 'person', name: 'test' } as const;
    await keepsake.agents.updates.accept({ text: 'Anything', files: [], source });
    keepsake.state
      .databases()
      .durable.prepare(`update updates set state = 'running', leased_until = 9e15`)
      .run();
    await expect(forget(keepsake)).rejects.toThrow('an update is being processed');
    expect(existsSync(join(home.state, 'forgetting.json'))).toBe(false);
    expect(readFileSync(join(home.vault, 'notes/safe.md'), 'utf8')).toBe(line);
    await keepsake.close();
  });

  it('keeps the rest of the sentence, in files and in every version of history', async () => {
    const allergy = (more: string): string =>
      `- Allergie à la pénicilline (test de 2019) et aux crustacés${more}. Les huîtres, oui ; les crevettes, non.\n`;
    const home = createHome();
    const keepsake = await open(home);
    const first = await write(keepsake, 'notes/health.md', allergy(' (grave)'));
    await write(keepsake, 'notes/health.md', allergy(' (légère)'));
    await write(keepsake, 'notes/health.md', allergy(''));
    await keepsake.changes.record();
    const target = { kind: 'words', words: ['à la pénicilline (test de 2019) et'] } as const;
    const plan = await keepsake.forget.plan(target);
    expect(passagesOf(plan)).toEqual([
      'files notes/health.md:1 Allergie à la pénicilline (test de 2019) et aux crustacés. → Allergie aux crustacés.',
      'history notes/health.md (1) Allergie à la pénicilline (test de 2019) et aux crustacés (légère). → Allergie aux crustacés (légère).',
      'history notes/health.md (1) Allergie à la pénicilline (test de 2019) et aux crustacés (grave). → Allergie aux crustacés (grave).',
    ]);
    expect((await keepsake.forget.run(target, plan.shown)).remaining).toEqual([]);
    expect(readFileSync(join(home.vault, 'notes/health.md'), 'utf8')).toContain(
      '- Allergie aux crustacés. Les huîtres, oui ; les crevettes, non.\n',
    );
    const diff = (await keepsake.changes.find(first)?.diffs())?.[0]?.diff;
    expect(diff).toContain('- Allergie aux crustacés (grave). Les huîtres');
    expect(diff).not.toContain('pénicilline');
    await keepsake.close();
  });

  it('plans the same before and after tree.md lists the file', async () => {
    const home = createHome({ 'projects/garden/state.md': `# State\n\n${line}\n` });
    const keepsake = await open(home);
    const target = {
      kind: 'path',
      path: 'vault/projects/garden/state.md',
      lines: { start: 1, end: 3 },
    } as const;
    const before = await keepsake.forget.plan(target);
    writeFileSync(join(home.vault, 'tree.md'), 'projects\n└── garden\n    └── state.md\n');
    await keepsake.changes.record();
    const after = await keepsake.forget.plan(target);
    expect(after).toMatchObject({ shown: before.shown, phrases: before.phrases });
    expect(before.phrases).not.toContain('State');
    await keepsake.close();
  });

  it('removes nothing if what was shown has changed', async () => {
    const home = createHome({ 'notes/safe.md': `${line}\n` });
    const keepsake = await open(home);
    const target = { kind: 'words', words: [words] } as const;
    const { shown } = await keepsake.forget.plan(target);
    const changes = [
      () => write(keepsake, 'notes/safe.md', `Never say that ${line}\n`),
      () => write(keepsake, 'notes/other.md', `Also ${words}.\n`),
      () =>
        keepsake.agents.updates.accept({
          text: `And ${words}?`,
          files: [],
          source: { kind: 'person', name: 'test' },
        }),
      () => write(keepsake, `notes/${words}.md`, 'Other.\n'),
    ];
    let last = shown;
    for (const change of changes) {
      await change();
      await expect(keepsake.forget.run(target, last)).rejects.toMatchObject({ code: 'changed' });
      last = (await keepsake.forget.plan(target)).shown;
    }
    expect(readFileSync(join(home.vault, 'notes/safe.md'), 'utf8')).toContain(words);
    expect(existsSync(join(home.state, 'forgetting.json'))).toBe(false);
    await write(keepsake, 'notes/safe.md', `A line above.\n\nNever say that ${line}\n`);
    await keepsake.changes.record();
    expect((await keepsake.forget.run(target, last)).remaining).toEqual([]);
    await keepsake.close();
  });

  it('names what is removed, replaced or renamed as a whole', async () => {
    const home = createHome({ 'notes/only.md': `${words}\n` });
    const keepsake = await open(home);
    writeFileSync(join(home.vault, 'scan.pdf'), Buffer.concat([Buffer.from([0, 1]), Buffer.from(words)]));
    await write(keepsake, `notes/${words}.md`, 'Other.\n');
    const { places } = await keepsake.forget.plan({ kind: 'words', words: [words] });
    const files = places.filter(({ store }) => store === 'files');
    expect(files.map(({ name, effect }) => [name, effect])).toEqual([
      ['notes/only.md', 'removed'],
      [`notes/${words}.md`, 'renamed'],
      ['scan.pdf', 'replaced'],
    ]);
    await forgetWords(keepsake, words);
    expect(readFileSync(join(home.vault, 'scan.pdf'), 'utf8')).toBe('(removed at your request)\n');
    expect(readdirSync(join(home.vault, 'notes'))).toEqual([expect.stringMatching(/^removed-/)]);
    await keepsake.close();
  });

  it('completes what an earlier version began as that version meant it, by sentence', async () => {
    const home = createHome();
    const keepsake = await open(home);
    await write(keepsake, 'notes/safe.md', `Keep. ${line} Stay.\n`);
    await keepsake.close();
    const rules = { version: 1, phrases: [words], contents: [], salt: 's', language: 'en' };
    writeFileSync(join(home.state, 'forgetting.json'), JSON.stringify(rules));
    const next = await open(home);
    expect(readFileSync(join(home.vault, 'notes/safe.md'), 'utf8')).toMatch(/Keep\. Stay\.\n$/);
    await next.close();
  });

  it('removes the words from a sync repository that is no longer used', async () => {
    const home = createHome({ 'notes/safe.md': line });
    const keepsake = await open(home);
    await write(keepsake, 'notes/other.md', 'Other.\n');
    const repository = join(home.state, 'sync.git');
    spawnSync('git', ['init', '--quiet', '--bare', repository]);
    spawnSync('git', ['--git-dir', repository, 'hash-object', '-w', '--stdin'], { input: line });
    expect(await forget(keepsake)).toMatchObject({ remaining: [] });
    const objects = ['cat-file', '--batch-all-objects', '--batch-check'];
    expect(String(spawnSync('git', ['--git-dir', repository, ...objects]).stdout)).toBe('');
    await keepsake.close();
  });

  it('names backups made on this machine and files that it does not change', async () => {
    const home = createHome({ 'notes/safe.md': line, '.obsidian/workspace.json': line });
    await runCommand(['backup', join(home.home, 'copy'), '--vault', home.vault], {
      variables: home.variables,
    });
    const keepsake = await open(home);
    const { unreachable } = await forget(keepsake);
    expect(unreachable).toContainEqual({ kind: 'backup', name: join(home.home, 'copy') });
    expect(unreachable).toContainEqual({ kind: 'file', name: '.obsidian/workspace.json' });
    await keepsake.close();
  });
});

describe('forgetting a file, lines or an update', () => {
  it('removes a file with all its versions and the copies of its sentences', async () => {
    const home = createHome();
    const keepsake = await open(home);
    await write(keepsake, 'notes/safe.md', `First version of ${words} here.\n`);
    await write(keepsake, 'notes/safe.md', `Second version of ${words} here.\n`);
    const source = { kind: 'person', name: 'test' } as const;
    await keepsake.agents.updates.accept({
      text: `Stay. Second version of ${words} here.`,
      files: [],
      source,
    });
    expect(
      (await forgetTarget(keepsake, { kind: 'path', path: 'vault/notes/safe.md', lines: null })).remaining,
    ).toEqual([]);
    expect(existsSync(join(home.vault, 'notes/safe.md'))).toBe(false);
    await keepsake.close();
    expect(traces(home.home)).toEqual([]);
  });

  it('removes lines and keeps the others', async () => {
    const home = createHome();
    const keepsake = await open(home);
    await write(keepsake, 'notes/safe.md', `Keep.\n- ${line}\nStay.\n`);
    const text = readFileSync(join(home.vault, 'notes/safe.md'), 'utf8');
    const number = text.split('\n').findIndex((each) => each.includes(words)) + 1;
    const lines = { start: number, end: number };
    expect(
      (await forgetTarget(keepsake, { kind: 'path', path: 'vault/notes/safe.md', lines })).remaining,
    ).toEqual([]);
    expect(readFileSync(join(home.vault, 'notes/safe.md'), 'utf8')).toMatch(/Keep\.\nStay\.\n$/);
    await keepsake.close();
    expect(traces(home.home)).toEqual([]);
  });

  it('removes a passage with its heading and metadata, and keeps the same ones in other files', async () => {
    const task = (text: string): string => `# Notes\n\nstatus: to-do | added: 2026-09-15\n\n${text}\n`;
    const home = createHome({ 'notes/a.md': task(line), 'notes/b.md': task('Buy bread.') });
    const keepsake = await open(home);
    await keepsake.catalogue.refresh();
    const lines = { start: 1, end: 5 };
    await forgetTarget(keepsake, { kind: 'path', path: 'vault/notes/a.md', lines });
    expect(existsSync(join(home.vault, 'notes/a.md'))).toBe(false);
    expect(readFileSync(join(home.vault, 'notes/b.md'), 'utf8')).toBe(task('Buy bread.'));
    await keepsake.close();
    expect(traces(home.home)).toEqual([]);
  });

  it('removes the input of an update', async () => {
    const home = createHome({ 'notes/other.md': 'The cat sleeps on the roof.\n' });
    const keepsake = await open(home);
    const source = { kind: 'person', name: 'test' } as const;
    const text = `${line} The cat sleeps on the roof.`;
    const { id } = await keepsake.agents.updates.accept({ text, files: [], source });
    const plan = await keepsake.forget.plan({ kind: 'update', id });
    expect(plan.phrases).toEqual([line.slice(0, -1)]);
    expect((await keepsake.forget.run(plan.target, plan.shown)).remaining).toEqual([]);
    await keepsake.close();
    expect(traces(home.home)).toEqual([]);
    expect(readFileSync(join(home.vault, 'notes/other.md'), 'utf8')).toContain('The cat sleeps');
  });
});

describe('keepsake forget', () => {
  it('shows every sentence before and after, and changes nothing without a yes', async () => {
    const { vault, variables } = createHome({ 'notes/safe.md': `# Safe\n\n${line}\n` });
    const args = ['forget', words, '--vault', vault];
    const elsewhere = await runCommand(args, { variables });
    expect(elsewhere).toMatchObject({
      code: 2,
      err: expect.stringContaining('repeat the command with --shown'),
    });
    expect(elsewhere.out).toContain(`    notes/safe.md:3\n      - ${line}\n      + The safe opens with.\n`);
    expect(elsewhere.out).toContain('cannot be undone');
    const declined = await runCommand(args, { variables, isTerminal: true, input: 'n\n' });
    expect(declined.out).toContain('There is no undo. [y/N]');
    expect(readFileSync(join(vault, 'notes/safe.md'), 'utf8')).toContain(line);
    const french = await runCommand(args, { variables: { ...variables, LANG: 'fr_FR.UTF-8' } });
    expect(french.out).toContain('ne peut pas être défait');
  });

  it('removes whole sentences only if asked, and shows what else they say', async () => {
    const { vault, variables } = createHome({ 'notes/safe.md': `Keep. ${line}\n` });
    const args = ['forget', words, '--sentence', '--vault', vault];
    const shown = await runCommand(args, { variables });
    expect(shown.out).toContain(`      - ${line}\n        also removed: The safe opens with\n`);
    const terminal = await runCommand(args, { variables, isTerminal: true, input: 'y\n' });
    expect(terminal.out).toContain('\u001B[1m');
    expect(readFileSync(join(vault, 'notes/safe.md'), 'utf8')).toBe('Keep.\n');
  });

  it('forgets without asking what was shown with a code, and nothing else', async () => {
    const { vault, variables } = createHome({ 'notes/safe.md': `Keep. ${line}\n` });
    const args = ['forget', words, '--vault', vault];
    const codeOf = ({ err }: { err: string }): string => /--shown (\w+)/.exec(err)?.[1] ?? '';
    const first = codeOf(await runCommand(args, { variables }));
    writeFileSync(join(vault, 'notes/safe.md'), `Keep. Never say that ${line}\n`);
    const refused = await runCommand([...args, '--shown', first], { variables });
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('no longer what was shown') });
    expect(refused.out).toContain('- Never say that');
    expect(readFileSync(join(vault, 'notes/safe.md'), 'utf8')).toContain(words);
    expect(await runCommand([...args, '--shown', codeOf(refused)], { variables })).toMatchObject({ code: 0 });
    expect(readFileSync(join(vault, 'notes/safe.md'), 'utf8')).toBe(
      'Keep. Never say that The safe opens with.\n',
    );
  });

  it.each([
    ['a link', 'Josette.md', '[elle](Josette.md)', '[elle](removed-….md)'],
    ['an encoded link', 'Tante Josette.md', '[elle](Tante%20Josette.md)', '[elle](Tante%20removed-….md)'],
    ['a wikilink', 'Josette.md', '[[Josette|elle]]', '[[removed-…|elle]]'],
    ['a wikilink without a label', 'Josette.md', '[[Josette]]', '[[removed-…]]'],
    ['a folder', 'people/Josette/a.md', '[elle](people/Josette/a.md)', '[elle](people/removed-…/a.md)'],
  ])('renames a file as shown if %s leads to it', async (_, name, link, shown) => {
    const { vault, home, variables } = createHome({ [name]: '# T\n', 'n.md': `Voir ${link} demain.\n` });
    const args = ['forget', 'Josette', '--vault', vault];
    const first = await runCommand(args, { variables });
    expect(first.out).toContain(`      + Voir ${shown} demain.\n`);
    const code = /--shown (\w+)/.exec(first.err)?.[1] ?? '';
    expect(await runCommand([...args, '--shown', code], { variables })).toMatchObject({ code: 0 });
    const target =
      /\((.*)\)|\[\[([^|\]]*)/
        .exec(readFileSync(join(vault, 'n.md'), 'utf8'))
        ?.slice(1)
        .join('') ?? '';
    const file = decodeURIComponent(target).replace(/(?:\.md)?$/, '.md');
    expect(readFileSync(join(vault, file), 'utf8')).toBe('# T\n');
    expect(traces(home, /josette/i)).toEqual([]);
  });

  it('removes words that are percent-encoded in a link, also from history', async () => {
    const encoded = 'Voir [elle](%C3%89lodie.md) demain.\n';
    const { vault, home, variables } = createHome({ 'notes/Élodie.md': '# T\n', 'notes/n.md': encoded });
    await runCommand(['history', '--vault', vault], { variables });
    const ran = await runCommand(['forget', 'élodie', '--yes', '--vault', vault], { variables });
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('Forgotten in') });
    expect(ran.out.slice(ran.out.indexOf('Forgotten in'))).toContain('notes/n.md');
    const name = readdirSync(join(vault, 'notes')).find((each) => each.startsWith('removed-')) ?? '';
    expect(readFileSync(join(vault, 'notes/n.md'), 'utf8')).toBe(`Voir [elle](${name}) demain.\n`);
    expect(traces(home, /lodie/i)).toEqual([]);
  });

  it('names a renamed file with blanks in the receipt by its new name', async () => {
    const { vault, variables } = createHome({ 'Tante Josette.md': '# T\n' });
    const ran = await runCommand(['forget', 'Tante Josette', '--yes', '--vault', vault], { variables });
    const name = readdirSync(vault).find((each) => each.startsWith('removed-')) ?? '';
    expect(ran.out.slice(ran.out.indexOf('Forgotten in'))).toContain(`    ${name}\n`);
  });

  it('forgets with --yes even if what it prints is not read', async () => {
    const { vault, home, variables } = createHome({ 'notes/safe.md': `Keep. ${line}\n` });
    const args = ['forget', words, '--yes', '--vault', vault];
    expect(await runCommand(args, { variables, isOutputClosed: true })).toMatchObject({ code: 0, err: '' });
    expect(readFileSync(join(vault, 'notes/safe.md'), 'utf8')).toBe('Keep. The safe opens with.\n');
    expect(traces(home)).toEqual([]);
  });

  it('says when an undone change had forgotten words', async () => {
    const { vault, variables } = createHome();
    const options = { variables, input: `Keep.\n${line}\n` };
    await runCommand(['write', 'notes/safe.md', '--vault', vault], options);
    expect(await runCommand(['forget', words, '--yes', '--vault', vault], { variables })).toMatchObject({
      code: 0,
    });
    const { out } = await runCommand(['history', '--json', '--vault', vault], { variables });
    const { changes } = JSON.parse(out) as { changes: { id: string }[] };
    const undone = await runCommand(['undo', changes.at(-1)?.id ?? '', '--vault', vault], { variables });
    expect(undone.err).toContain('words of this change were forgotten');
  });
});
