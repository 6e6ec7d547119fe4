import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { runCommand, startCommand } from '../run-command.ts';
import type { Ran } from '../run-command.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';
import { filesIn, snapshot } from './snapshot.ts';

const at = (home: string) => ({ HOME: home, XDG_STATE_HOME: join(home, 'state') });

/** Runs a command with its own home folder. */
function keepsake(home: string, args: string[]): Promise<Ran> {
  return runCommand(args, { variables: at(home) });
}

async function place(count = 3): Promise<{ folder: string; vault: string; source: string }> {
  const folder = temporaryFolder();
  const [vault, source] = [join(folder, 'vault'), join(folder, 'source')];
  layOut(source, {
    ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}.md`, `# Note ${index}\n`])),
    'x.svg': '<svg></svg>',
  });
  await keepsake(folder, ['init', vault]);
  return { folder, vault, source };
}

describe('keepsake import', () => {
  it('does a dry run, imports, says how to undo the import, and does nothing the second time', async () => {
    const { folder, vault, source } = await place();
    const before = snapshot(vault);
    const rehearsed = await keepsake(folder, ['import', source, '--dry-run', '--vault', vault]);
    expect(rehearsed).toEqual({
      code: 0,
      err: '',
      out: `Folder ${source}\n\n  notes              3\n  skipped            1\n  size               27 B\n  into               vault/bucket/source\n\nSkipped:\n  x.svg: SVG drawings are not supported; save it as PNG or PDF\n\nDry run: nothing was written. Run without --dry-run to import.\n`,
    });
    expect(snapshot(vault)).toEqual(before);
    const imported = await keepsake(folder, ['import', source, '--vault', vault]);
    const [, id = ''] = /Imported\. Undo with: keepsake undo (\w{8})\n$/.exec(imported.out) ?? [];
    expect(filesIn(vault)).toContain('bucket/source/n2.md');
    const again = await keepsake(folder, ['import', source, '--vault', vault, '--json']);
    expect(JSON.parse(again.out)).toMatchObject({ id: null, unchanged: 3, into: 'vault/bucket/source' });
    expect((await keepsake(folder, ['undo', id, '--vault', vault])).code).toBe(0);
    expect(snapshot(vault)).toEqual(before);
  });

  it.each(['--dry-run', '--json'])(
    'counts and names notes that seem to contain secrets, with %s',
    async (option) => {
      const { folder, vault, source } = await place(1);
      const secret = ['Tr0ub4dor', '9xq'].join('');
      layOut(source, {
        'home/router.md': `# Router\n\npassword: ${secret}\n`,
        'deploy.txt': `Run it with\n\nexport API_KEY=${secret}${secret}\n`,
      });
      const { out } = await keepsake(folder, ['import', source, option, '--vault', vault]);
      expect(out).not.toContain(secret);
      if (option === '--json')
        expect(JSON.parse(out).secrets).toEqual([
          { path: 'deploy.txt', reason: 'key' },
          { path: 'home/router.md', reason: 'password' },
        ]);
      // A dry run converts nothing.
      else
        expect(out).toMatch(
          /\n {2}with a secret {6}1\n[^]*\nSeem to contain a secret:\n {2}home\/router\.md: password\n/,
        );
    },
  );

  it('rejects invalid requests and says why', async () => {
    const { folder, vault, source } = await place();
    const run = (...args: string[]): Promise<Ran> => keepsake(folder, ['import', ...args, '--vault', vault]);
    expect(await run(join(folder, 'absent'))).toMatchObject({
      code: 2,
      err: expect.stringContaining('check the path'),
    });
    expect(await run(source, '--into', 'projects/none')).toMatchObject({
      code: 2,
      err: expect.stringContaining('project not found: none'),
    });
    expect(await run(source, '--as', 'chatgpt')).toMatchObject({
      code: 2,
      err: expect.stringContaining('no conversations.json'),
    });
    expect(await run(source, '--adopt', '--dry-run')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--adopt cannot be combined'),
    });
  });

  it('adopts a folder without changing its files', async () => {
    const { folder, source } = await place();
    const before = snapshot(source);
    expect((await keepsake(folder, ['import', '--adopt', source])).out).toMatch(
      /^Adopted .*Added \.keepsake\/; no other file was changed/,
    );
    expect(snapshot(source)).toEqual(before);
    expect(existsSync(join(source, '.keepsake/vault.json'))).toBe(true);
  });

  it('stops on Ctrl-C before anything is written, and resumes the next time', async () => {
    const { folder, vault, source } = await place(1);
    layOut(
      source,
      Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${index}.csv`, `a,b\n${index},2\n`])),
    );
    const { ended, send } = startCommand(['import', source, '--vault', vault], { variables: at(folder) });
    const cached = (): number =>
      readdirSync(join(folder, 'state'), { recursive: true, encoding: 'utf8' }).filter((name) =>
        /imports\/.*json$/.test(name),
      ).length;
    await vi.waitUntil(() => cached() > 2, { interval: 5, timeout: 60_000 });
    send('SIGINT');
    expect(await ended).toEqual({
      code: 2,
      out: '',
      err: 'error: interrupted; nothing was written; run the same command to resume\n',
    });
    expect(filesIn(vault).some((path) => path.startsWith('bucket/'))).toBe(false);
    expect(cached()).toBeGreaterThan(2);
    expect((await keepsake(folder, ['import', source, '--vault', vault])).code).toBe(0);
    expect(cached()).toBe(0);
  });
});
