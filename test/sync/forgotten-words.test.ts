import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { forgetWords } from '../forget-target.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import { createMachines, identity } from './machines.ts';
import type { Machine } from './machines.ts';

const secret = 'tulpenzwiebel 4711';
const diary = `# Diary\n\nMonday was quiet.\n\nThe safe is ${secret} now.\n\nTuesday was loud.\n`;

async function two(files: Record<string, string> = {}) {
  const all = createMachines();
  const laptop = await all.machine('laptop', { ...identity, 'diary.md': diary, ...files });
  await laptop.sync();
  const desktop = await all.machine('desktop');
  await desktop.sync();
  return { ...all, laptop, desktop };
}

async function forget({ keepsake }: Machine, words = secret): Promise<void> {
  await forgetWords(keepsake, words);
}

/** Files that contain the words, and objects of git repositories that do, below a folder. */
function findWords(folder: string, words = secret): string[] {
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  const inFiles = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => file.includes(words) || readFileSync(file).includes(words));
  const repositories = [
    ...(existsSync(join(folder, 'HEAD')) ? [folder] : []),
    ...entries
      .filter((entry) => entry.isFile() && entry.name === 'HEAD')
      .map(({ parentPath }) => parentPath)
      .filter((place) => place !== folder),
  ];
  return [...inFiles, ...repositories.flatMap((place) => findObjects(place, words))];
}

function findObjects(repository: string, words: string): string[] {
  const git = (args: string[], input = ''): Buffer =>
    execFileSync('git', ['-C', repository, ...args], { input, maxBuffer: 1e9 });
  const ids = git(['cat-file', '--batch-all-objects', '--batch-check=%(objectname)']).toString().trim();
  return git(['cat-file', '--batch'], `${ids}\n`).includes(words) ? [`objects of ${repository}`] : [];
}

describe('forgotten words', () => {
  it('are in no place of the remote and of both machines after the next sync', async () => {
    const { laptop, desktop, remote } = await two();
    desktop.put({ 'plan.md': `A plan with ${secret}.\n` });
    await desktop.sync();
    await laptop.sync();
    await forget(laptop);
    expect(findWords(laptop.state)).toEqual([]);
    expect(await laptop.sync()).toMatchObject({ forgotten: { sent: 1, received: 0, isRemotePurged: true } });
    expect(findWords(remote)).toEqual([]);
    expect(await desktop.sync()).toMatchObject({ forgotten: { sent: 0, received: 1 }, conflicts: [] });
    for (const { folder, state } of [laptop, desktop])
      expect([...findWords(folder), ...findWords(state)]).toEqual([]);
    expect(findWords(remote)).toEqual([]);
    expect(desktop.files()).toEqual(laptop.files());
    expect(desktop.read('diary.md')).toContain('Tuesday was loud.');
    expect(await laptop.sync()).toMatchObject({ forgotten: { sent: 0, received: 0 }, conflicts: [] });
    expect(await desktop.sync()).toMatchObject({ sent: 0, received: [], changes: [] });
  });

  it('are removed from unsynced work, which is kept otherwise', async () => {
    const { laptop, desktop, remote } = await two();
    desktop.put({
      'diary.md': diary.replace('Monday was quiet.', 'Monday was very quiet.').replace('safe is', 'safe was'),
      'copy.md': `Copied: ${secret}. Also buy bread.\n`,
      'other.md': 'Other work.\n',
    });
    await forget(laptop);
    await laptop.sync();
    await desktop.sync();
    await laptop.sync();
    expect(desktop.files()).toEqual(laptop.files());
    expect(laptop.read('diary.md')).toContain('Monday was very quiet.');
    expect(laptop.read('copy.md')).toContain('Also buy bread.');
    expect(laptop.read('other.md')).toBe('Other work.\n');
    for (const place of [remote, laptop.folder, laptop.state, desktop.folder, desktop.state])
      expect(findWords(place)).toEqual([]);
  });

  it('are removed from what other machines sent in the meantime', async () => {
    const { laptop, desktop, remote } = await two();
    desktop.put({
      'diary.md': `${diary}\nThe code ${secret} again.\n`,
      'new.md': `It is ${secret}. This is a new note.\n`,
    });
    await forget(laptop);
    await desktop.sync();
    expect(await laptop.sync()).toMatchObject({ forgotten: { sent: 1 }, conflicts: [] });
    await desktop.sync();
    expect(laptop.read('new.md')).toContain('This is a new note.');
    expect(desktop.files()).toEqual(laptop.files());
    for (const place of [remote, laptop.folder, laptop.state, desktop.folder, desktop.state])
      expect(findWords(place)).toEqual([]);
  });

  it('are removed from a machine that was away while several were forgotten on two machines', async () => {
    const { laptop, desktop, machine, remote } = await two({ 'b.md': 'Second secret: kornblume 12.\n' });
    const studio = await machine('studio');
    await studio.sync();
    studio.put({ 'mine.md': `My own. The codes are ${secret} and kornblume 12.\n` });
    await forget(laptop);
    await forget(desktop, 'kornblume 12');
    await laptop.sync();
    expect(await desktop.sync()).toMatchObject({ forgotten: { received: 1, sent: 1 } });
    expect(await studio.sync()).toMatchObject({ forgotten: { received: 2, sent: 0 } });
    await laptop.sync();
    await desktop.sync();
    expect(laptop.read('mine.md')).toContain('My own.');
    for (const each of [desktop, studio]) expect(each.files()).toEqual(laptop.files());
    for (const words of [secret, 'kornblume 12'])
      for (const place of [
        remote,
        ...[laptop, desktop, studio].flatMap(({ folder, state }) => [folder, state]),
      ])
        expect(findWords(place, words)).toEqual([]);
  });

  it('do not come back with an old copy of the folder', async () => {
    const { laptop, desktop, machine, remote } = await two();
    desktop.put({ 'unsynced.md': `Unsynced. The code is ${secret}.\n` });
    const copy = join(temporaryFolder(), 'copy');
    cpSync(desktop.folder, copy, { recursive: true });
    await forget(laptop);
    await laptop.sync();
    await desktop.sync();
    await desktop.keepsake.close();
    rmSync(desktop.folder, { recursive: true });
    cpSync(copy, desktop.folder, { recursive: true });
    const again = await machine('desktop');
    expect(await again.sync()).toMatchObject({ forgotten: { received: 1 } });
    await laptop.sync();
    expect(laptop.read('unsynced.md')).toContain('Unsynced.');
    for (const place of [remote, laptop.folder, laptop.state, again.folder, again.state])
      expect(findWords(place)).toEqual([]);
  });

  it('do not come back with an old copy of the folder and its state', async () => {
    const { laptop, desktop, machine, remote } = await two();
    await desktop.keepsake.close();
    const copy = join(temporaryFolder(), 'copy');
    for (const name of ['folder', 'state'] as const)
      cpSync(desktop[name], join(copy, name), { recursive: true });
    const between = await machine('desktop');
    await forget(laptop);
    await laptop.sync();
    await between.sync();
    await between.keepsake.close();
    for (const name of ['folder', 'state'] as const) {
      rmSync(desktop[name], { recursive: true });
      cpSync(join(copy, name), desktop[name], { recursive: true });
    }
    const again = await machine('desktop');
    expect(await again.sync()).toMatchObject({ forgotten: { received: 1 }, conflicts: [] });
    for (const place of [remote, laptop.folder, again.folder, again.state])
      expect(findWords(place)).toEqual([]);
  });

  it('are not in what the remote stores about them, in any readable or guessable form', async () => {
    const { laptop, git } = await two();
    const before = git(['cat-file', 'commit', 'main']);
    await forget(laptop);
    await laptop.sync();
    const list = JSON.parse(git(['show', 'main:.keepsake/removals.json'])) as { removals: object[] };
    expect(list.removals).toHaveLength(1);
    expect(Object.keys(list.removals[0] ?? {}).toSorted()).toEqual(['id', 'sealed']);
    const [, key = ''] = /^Removal-Key: (.+)$/m.exec(before) ?? [];
    expect(key).toHaveLength(43);
    expect(git(['log', '--format=%B', 'main'])).not.toContain(key);
    expect(git(['rev-list', '--count', 'main'])).toBe('1');
  });

  it('that are in a third of the files are removed from other machines only after confirmation', async () => {
    const notes = Array.from({ length: 12 }, (_, index) => [
      `bucket/${index}.md`,
      `Note ${index}: ${secret}.\n`,
    ]);
    const { laptop, desktop } = await two(Object.fromEntries(notes) as Record<string, string>);
    await forget(laptop);
    await laptop.sync();
    await expect(desktop.sync()).rejects.toMatchObject({ code: 'mass-removal' });
    expect(desktop.read('bucket/3.md')).toContain(secret);
    await desktop.keepsake.sync.run(undefined, { deletions: 'confirm' });
    expect([...findWords(desktop.folder), ...findWords(desktop.state)]).toEqual([]);
  });

  it('are removed if git is killed at every step of both syncs', async () => {
    const git = createFailingGit();
    const { laptop, desktop, remote } = await two();
    desktop.put({
      'diary.md': diary.replace('Monday', 'Sunday'),
      'copy.md': `The code is ${secret}. Buy bread.\n`,
    });
    await forget(laptop);
    for (const machine of [laptop, desktop])
      for (let step = 1, isDone = false; !isDone; step += 1) {
        git.failAt(step);
        isDone = await machine.sync().then(
          () => true,
          () => false,
        );
        expect(step).toBeLessThan(100);
      }
    git.failAt(null);
    for (const machine of [laptop, desktop, laptop]) await machine.sync();
    expect(laptop.read('diary.md')).toContain('Sunday was quiet.');
    expect(laptop.read('copy.md')).toContain('Buy bread.');
    expect(desktop.files()).toEqual(laptop.files());
    for (const place of [remote, laptop.folder, laptop.state, desktop.folder, desktop.state])
      expect(findWords(place)).toEqual([]);
  });
});

/**
 * Puts a git into PATH that is killed at the n-th command that changes refs or deletes objects: before the command if n is odd, after it if n is
 * even.
 */
function createFailingGit(): { failAt: (step: number | null) => void } {
  const folder = temporaryFolder();
  const [program, counter] = [join(folder, 'git'), join(folder, 'counter')];
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  writeFileSync(
    program,
    `#!/bin/sh
case " $* " in
*" push "*|*" update-ref "*|*" gc "*) ;;
*) exec ${real} "$@" ;;
esac
left=$(cat ${counter} 2>/dev/null)
case "$left" in
'') exec ${real} "$@" ;;
'0 before') rm ${counter}; echo killed >&2; exit 137 ;;
'0 after') rm ${counter}; ${real} "$@"; echo killed >&2; exit 137 ;;
*) echo "$((\${left%% *} - 1)) \${left##* }" > ${counter}; exec ${real} "$@" ;;
esac
`,
    { mode: 0o755 },
  );
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  return {
    failAt(step) {
      if (step === null) rmSync(counter, { force: true });
      else writeFileSync(counter, `${step - 1} ${step % 2 === 1 ? 'before' : 'after'}\n`);
    },
  };
}
