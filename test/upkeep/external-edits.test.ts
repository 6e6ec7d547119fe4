import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { formatLocalTime } from '../../packages/vault/src/contract/index.ts';
import type { StartWatching } from '../../packages/vault/src/upkeep/index.ts';
import { isFound, createUpkeepVault, stamped, fingerprintOf, until } from './upkeep-vault.ts';
import type { UpkeepVault } from './upkeep-vault.ts';

const blind: StartWatching = () => ({ close: async () => undefined });

/** Counts how often each file is replaced or written during the test. */
function countWrites(folder: string, paths: string[]): Map<string, number> {
  const writes = new Map<string, number>();
  const traces = new Map<string, string>();
  const look = (): void => {
    for (const path of paths) {
      const trace = fingerprintOf(folder, path);
      if (traces.has(path) && traces.get(path) !== trace) writes.set(path, (writes.get(path) ?? 0) + 1);
      traces.set(path, trace);
    }
  };
  look();
  const timer = setInterval(look, 2);
  onTestFinished(() => clearInterval(timer));
  return writes;
}

describe('external edit', () => {
  it('is reflected in search: the new text is found, and the old text is not', async () => {
    const vault = await createUpkeepVault({ files: { 'bucket/a.md': 'zebra\n', 'bucket/b.md': 'heron\n' } });
    await vault.start();
    writeFileSync(join(vault.folder, 'bucket/a.md'), 'giraffe\n');
    renameSync(join(vault.folder, 'bucket/b.md'), join(vault.folder, 'projects/c.md'));
    mkdirSync(join(vault.folder, 'bucket/deep'));
    writeFileSync(join(vault.folder, 'bucket/deep/new.md'), 'otter\n');
    await vault.silence();
    const files = await vault.keepsake.search.withIndex(async ({ index }) => [...index.files().keys()]);
    expect(files.toSorted()).toEqual([
      'vault/bucket/a.md',
      'vault/bucket/deep/new.md',
      'vault/changelog.md',
      'vault/projects/c.md',
      'vault/tasks.md',
    ]);
    expect(await isFound(vault, 'giraffe')).toBe(true);
    expect(await isFound(vault, 'otter')).toBe(true);
    expect(await isFound(vault, 'zebra')).toBe(false);
    rmSync(join(vault.folder, 'bucket'), { recursive: true });
    await vault.silence();
    expect(await isFound(vault, 'giraffe')).toBe(false);
    expect(vault.events.filter(({ kind }) => kind === 'failed')).toEqual([]);
  });

  it('hides deleted text from search even before the deletion is detected', async () => {
    const vault = await createUpkeepVault({ files: { 'bucket/a.md': 'zebra\n' } });
    await vault.start({ watch: blind, timing: { scanIntervalMs: 100_000 } });
    expect(await isFound(vault, 'zebra')).toBe(true);
    rmSync(join(vault.folder, 'bucket/a.md'));
    expect(await isFound(vault, 'zebra')).toBe(false);
  });

  it('causes one write to the file, one to tree.md, and no more during further scans', async () => {
    const vault = await createUpkeepVault({ files: { 'projects/a.md': '# A\n', 'projects/b.md': '# B\n' } });
    await vault.start();
    const everything = readdirSync(vault.folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.md'),
    );
    await sleep(1_100); // so that the date in the stamps changes
    const writes = countWrites(vault.folder, everything);
    appendFileSync(join(vault.folder, 'projects/a.md'), 'one more line\n');
    await vault.silence(5_000); // a dozen scans
    expect(vault.read('projects/a.md')).toMatch(stamped);
    expect(vault.events.map(({ kind }) => kind)).toEqual([
      'changed-files',
      'recorded',
      'stamped',
      'tree-written',
    ]);
    // One of the two is the edit itself.
    expect(Object.fromEntries(writes)).toEqual({ 'projects/a.md': 2, 'tree.md': 1 });
  });

  it('is stamped with the mtime of the file, and with `created` only if that is missing', async () => {
    const vault = await createUpkeepVault();
    await vault.start();
    const file = join(vault.folder, 'projects/a.md');
    writeFileSync(file, '---\ncreated: 2020-01-01 # by hand\n---\nbody of it\n');
    // Not in the past: a file that is older than its arrival was written elsewhere.
    const made = new Date(Date.now() + 60_000);
    utimesSync(file, made, made);
    await until(() => vault.read('projects/a.md').includes('tokens'), 'it is stamped');
    expect(vault.read('projects/a.md')).toBe(
      `---\ncreated: 2020-01-01 # by hand\nupdated: ${formatLocalTime(made.getTime())}\ntokens: 3\n---\nbody of it\n`,
    );
  });

  it('is stamped without changing any other byte', async () => {
    const texts: Record<string, string> = {
      'crlf.md': '---\r\ntype: x   # c\r\n---\r\nbody\r\n',
      'bom.md': '\ufeff---\ntags: [a,   b]\n---\nbody',
      'none.md': 'no frontmatter, no final newline',
      'quoted.md':
        "---\nupdated: \"2020-01-01\"\nz: 'it''s'\ntokens: 99 # old\n---\n\n---\nsecond: block\n---\n",
      'odd.md': '---\nnested: {created: 1}\ntext: |\n  updated: no\n\n  x\n---\nx',
    };
    const refused: Record<string, string> = {
      'list.md': '---\n- a\n---\nbody\n',
      'broken.md': '---\na: [\n---\nbody\n',
      'block.md': '---\nupdated: |\n  x\n---\nbody\n',
      'binary.md': 'a\0b',
    };
    const vault = await createUpkeepVault();
    await vault.start();
    for (const [name, text] of Object.entries({ ...texts, ...refused }))
      writeFileSync(join(vault.folder, name), text);
    await vault.silence();
    const without = (text: string) =>
      text.replaceAll(/^(?:created|updated|tokens): [^#\n]*?(?= #|\r?\n)(\r?\n)?/gm, '');
    for (const [name, text] of Object.entries(texts)) {
      const now = vault.read(name);
      expect(now).not.toBe(text);
      const bare = name === 'none.md' ? now.replace(stamped, '') : without(now);
      expect(bare).toBe(name === 'none.md' ? text : without(text));
    }
    for (const [name, text] of Object.entries(refused)) expect(vault.read(name)).toBe(text);
    expect(vault.events.filter(({ kind }) => kind === 'failed')).toEqual([]);
  });

  it('is not stamped if the file was only touched, moved, copied or rewritten unchanged, or if only its mode changed', async () => {
    const vault = await createUpkeepVault({
      files: { 'bucket/a.md': 'a\n', 'bucket/b.md': 'b\n', 'bucket/c.md': 'c\n' },
    });
    await vault.start();
    const at = (path: string) => join(vault.folder, path);
    utimesSync(at('bucket/a.md'), new Date(), new Date());
    chmodSync(at('bucket/a.md'), 0o600);
    renameSync(at('bucket/b.md'), at('projects/b.md'));
    writeFileSync(at('bucket/c.md'), 'c\n');
    writeFileSync(at('bucket/copy.md'), 'c\n');
    await vault.silence();
    expect(['bucket/a.md', 'projects/b.md', 'bucket/c.md', 'bucket/copy.md'].map(vault.read)).toEqual([
      'a\n',
      'b\n',
      'c\n',
      'c\n',
    ]);
  });

  it('is not stamped again if another machine or Keepsake itself has stamped the file', async () => {
    const vault = await createUpkeepVault({ files: { 'bucket/a.md': 'a\n' } });
    await vault.start();
    const text = '---\ncreated: 2024-01-01T00:00:00\nupdated: 2025-01-01T00:00:00\ntokens: 2\n---\nfrom b\n';
    writeFileSync(join(vault.folder, 'bucket/a.md'), text);
    const run = vault.keepsake.writeRun('model');
    run.transaction.write('vault/bucket/own.md' as never, null, Buffer.from('own\n'));
    await run.transaction.commit({ origin: 'test', summary: 'test' });
    const own = vault.read('bucket/own.md');
    await vault.silence();
    expect(vault.read('bucket/a.md')).toBe(text);
    expect(vault.read('bucket/own.md')).toBe(own);
    expect(vault.events.filter(({ kind }) => kind === 'stamped')).toEqual([]);
    await expect.poll(() => vault.read('tree.md')).toContain('own.md');
  });

  it('is not stamped while the file is still being written', async () => {
    const vault = await createUpkeepVault();
    await vault.start({ timing: { stampQuietMs: 1_500 } });
    const file = join(vault.folder, 'projects/log.md');
    let line = 0;
    let [beforeLast, beforeThis] = [performance.now(), performance.now()];
    while (line < 20) {
      line += 1;
      appendFileSync(file, `line ${line}\n`);
      await sleep(100);
      const text = vault.read('projects/log.md');
      // If the machine was blocked, there was a pause between two lines, and the file may be stamped.
      if (performance.now() - beforeLast > 1_500) break;
      expect(text).not.toMatch(stamped);
      [beforeLast, beforeThis] = [beforeThis, performance.now()];
    }
    await until(() => stamped.test(vault.read('projects/log.md')), 'it is stamped');
    expect(vault.read('projects/log.md')).toContain(`line ${line}\n`);
  });
});

describe('the history of external edits', () => {
  const listed = ({ keepsake }: UpkeepVault) => keepsake.changes.list({ limit: 9, joinsStamps: true });
  const summaries = (vault: UpkeepVault) => listed(vault).map(({ summary }) => summary);
  const timing = { recordQuietMs: 100, stampQuietMs: 400, undetectableStampQuietMs: 400 };

  it('has one change for an edit and its stamps, and one undo reverts both', async () => {
    const text = '---\ncreated: 2024-01-01T00:00:00\nupdated: 2025-01-01T00:00:00\ntokens: 2\n---\none\n';
    const vault = await createUpkeepVault({ files: { 'bucket/a.md': text } });
    await vault.start({ timing });
    appendFileSync(join(vault.folder, 'bucket/a.md'), 'two\n');
    await until(() => vault.events.some(({ kind }) => kind === 'stamped'), 'it is stamped');
    expect(vault.events.map(({ kind }) => kind).slice(0, 3)).toEqual([
      'changed-files',
      'recorded',
      'stamped',
    ]);
    const [change] = listed(vault);
    expect(summaries(vault)).toEqual(['edited vault/bucket/a.md']);
    expect(vault.keepsake.changes.list({ limit: 9 }).map(({ origin }) => origin)).toEqual([
      'upkeep',
      'outside',
    ]);
    expect(change).toMatchObject({ files: [{ kind: 'edited', added: 1, removed: 0 }] });
    const [shown] = (await vault.keepsake.changes.find(change?.id ?? '')?.diffs()) ?? [];
    expect(shown?.diff).toMatch(/^\+two$/m);
    expect(shown?.diff).toMatch(/^-updated: 2025-01-01T00:00:00$/m);
    expect((await vault.keepsake.changes.undo(change?.id ?? '')).kind).toBe('written');
    expect(vault.read('bucket/a.md')).toBe(text);
  });

  it('has a change of its own for each of two notes that were edited at the same time', async () => {
    const vault = await createUpkeepVault({ files: { 'bucket/a.md': 'a\n', 'bucket/b.md': 'b\n' } });
    await vault.start({ timing });
    appendFileSync(join(vault.folder, 'bucket/a.md'), 'more\n');
    appendFileSync(join(vault.folder, 'bucket/b.md'), 'more\n');
    await until(
      () => stamped.test(vault.read('bucket/a.md')) && stamped.test(vault.read('bucket/b.md')),
      'stamps',
    );
    expect(summaries(vault).toSorted()).toEqual(['edited vault/bucket/a.md', 'edited vault/bucket/b.md']);
    const first = listed(vault).find(({ summary }) => summary.endsWith('a.md'));
    expect((await vault.keepsake.changes.undo(first?.id ?? '')).kind).toBe('written');
    expect(vault.read('bucket/a.md')).toBe('a\n');
    expect(vault.read('bucket/b.md')).toContain('b\nmore\n');
  });

  it('keeps a stamp as a change of its own if the edit is not in history', async () => {
    const vault = await createUpkeepVault({ files: { 'bucket/a.md': 'a\n' } });
    const run = vault.keepsake.writeRun('model');
    run.transaction.write('vault/bucket/own.md' as never, null, Buffer.from('own\n'));
    await run.transaction.commit({ origin: 'upkeep', summary: 'by a client' });
    expect(summaries(vault)).toEqual(['by a client']);
  });
});

describe('the deletion of a file that Keepsake wrote', () => {
  const newest = ({ keepsake }: UpkeepVault) => keepsake.changes.list({ limit: 1 })[0]?.summary;
  const writeAndDelete = async ({ keepsake, folder }: UpkeepVault): Promise<void> => {
    const run = keepsake.writeRun('model');
    run.transaction.write('vault/bucket/own.md' as never, null, Buffer.from('own\n'));
    await run.transaction.commit({ origin: 'test', summary: 'written' });
    rmSync(join(folder, 'bucket/own.md'));
  };

  it('is recorded even if upkeep never saw the file', async () => {
    const vault = await createUpkeepVault();
    await vault.start({ timing: { recordQuietMs: 100 } });
    await writeAndDelete(vault);
    await until(() => newest(vault) === 'deleted vault/bucket/own.md', 'the deletion is in history');
    await vault.silence();
    expect(vault.events.filter(({ kind }) => kind === 'recorded')).toHaveLength(1);
  });

  it('is detected when upkeep starts if upkeep was not running at the time', async () => {
    const vault = await createUpkeepVault();
    await (await vault.start()).stop();
    await writeAndDelete(vault);
    await vault.keepsake.changes.record();
    await vault.start({ timing: { recordQuietMs: 100 } });
    await until(() => newest(vault) === 'deleted vault/bucket/own.md', 'the deletion is in history');
    await vault.silence();
    expect(newest(vault)).toBe('deleted vault/bucket/own.md');
  });
});
