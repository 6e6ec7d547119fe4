import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isFound, keptVault, stamped, until } from './upkeep-vault.ts';

describe('two machines on one synced folder', () => {
  /** Copies whatever is newer to the other side, deletes nothing. */
  const copier = (a: string, b: string, keepsTimes: boolean) => {
    const filesOf = (folder: string) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
        (path) =>
          statSync(join(folder, path)).isFile() && !path.split('/').some((name) => name.startsWith('.')),
      );
    let copies = 0;
    const copyNewer = (from: string, to: string): void => {
      for (const path of filesOf(from)) {
        const [source, target] = [join(from, path), join(to, path)];
        const { mtime } = statSync(source);
        const isThere = existsSync(target);
        if (isThere && (statSync(target).mtime >= mtime || readFileSync(target).equals(readFileSync(source))))
          continue;
        mkdirSync(join(target, '..'), { recursive: true });
        writeFileSync(`${join(target, '..')}/.sync.tmp`, readFileSync(source));
        if (keepsTimes) utimesSync(`${join(target, '..')}/.sync.tmp`, mtime, mtime);
        renameSync(`${join(target, '..')}/.sync.tmp`, target);
        copies += 1;
      }
    };
    const timer = setInterval(() => {
      copyNewer(a, b);
      copyNewer(b, a);
    }, 37);
    onTestFinished(() => clearInterval(timer));
    return () => copies;
  };

  it.each([
    ['keeps times', true],
    ['does not keep times', false],
  ])('fall silent after one edit, when what copies %s', async (_, keepsTimes) => {
    const files = {
      'projects/a.md': 'a\n',
      'bucket/picture.png': 'not really',
      'projects/b.md': '---\nx: 1\n---\nb\n',
    };
    const [one, two] = [await keptVault({ files }), await keptVault({ files })];
    const copies = copier(one.folder, two.folder, keepsTimes);
    await one.start();
    await two.start();
    await Promise.all([one.silence(), two.silence()]);
    one.events.length = two.events.length = 0;
    await sleep(1_000);
    appendFileSync(join(one.folder, 'projects/a.md'), 'an edit on the first\n');
    await until(() => stamped.test(two.read('projects/a.md')), 'the second has the stamped edit');
    // Two that answer each other never fall silent, and the timeout of this test says so.
    let before: number;
    do {
      before = copies();
      await Promise.all([one.silence(2_500), two.silence(2_500)]);
    } while (copies() !== before);
    expect(one.read('projects/a.md')).toBe(two.read('projects/a.md'));
    expect(one.read('tree.md')).toBe(two.read('tree.md'));
    expect(one.read('projects/a.md')).toMatch(stamped);
    for (const { events } of [one, two]) {
      const paths = events.flatMap((event) => (event.kind === 'stamped' ? event.paths : []));
      expect(paths.length).toBeLessThanOrEqual(1);
      expect(events.filter(({ kind }) => kind === 'tree').length).toBeLessThanOrEqual(2);
    }
  });

  it('leave what arrived without stamps as it is', async () => {
    const vault = await keptVault({ files: { 'projects/a.md': 'a\n' } });
    await vault.start();
    const file = join(vault.folder, 'projects/a.md');
    writeFileSync(`${file}.tmp`, 'a\nwritten on a phone\n');
    utimesSync(`${file}.tmp`, new Date(Date.now() - 10_000), new Date(Date.now() - 10_000));
    renameSync(`${file}.tmp`, file);
    await until(() => isFound(vault, 'phone'), 'it is searched');
    await vault.silence();
    expect(vault.read('projects/a.md')).toBe('a\nwritten on a phone\n');
  });
});
