import { existsSync, lstatSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseRemoteUrl, redactUrl } from '../../packages/vault/src/sync/index.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import { identity, createMachines } from './machines.ts';
import type { Machines } from './machines.ts';

/** Commits to the remote on top of its branch, with any file names and kinds: `mode name` to content. */
function commitTo({ git }: Machines, files: Record<string, string>): void {
  const lines = Object.entries(files).map(([entry, content]) => {
    const [mode = '', ...name] = entry.split(' ');
    const path = JSON.stringify(name.join(' '));
    if (mode === '160000') return `M 160000 ${content} ${path}\n`;
    return `M ${mode} inline ${path}\ndata ${Buffer.byteLength(content)}\n${content}\n`;
  });
  const head = 'commit refs/heads/main\ncommitter x <x@x> 1 +0000\ndata 1\nx\nfrom refs/heads/main^0\n';
  git(['fast-import', '--quiet', '--force'], `${head}${lines.join('')}done\n`);
}

async function synced(files: Record<string, string> = {}) {
  const all = createMachines();
  const laptop = await all.machine('laptop', { ...identity, 'note.md': 'mine\n', ...files });
  await laptop.sync();
  return { ...all, laptop };
}

describe('a sync with a hostile remote', () => {
  it('imports only valid vault files and reports the rest as skipped', async () => {
    const all = await synced();
    const { laptop, git } = all;
    const refused = {
      '120000 link.md': '/etc/passwd',
      '160000 sub': '1'.repeat(40),
      '100644 .hidden.md': 'x',
      '100644 .keepsake/config.yaml': 'x',
      '100644 .obsidian/app.json': 'x',
      '100644 CON.md': 'x',
      '100644 a:b.md': 'x',
      '100644 ends with a dot./x.md': 'x',
      '100644 half.md.tmp': 'x',
      '100644 back\\slash.md': 'x',
      '100644 cafe\u0301.md': 'x',
      '100644 line\nbreak.md': 'x',
      '100644 large.bin': 'x'.repeat(20_000_001),
      [`100644 ${'deep/'.repeat(101)}x.md`]: 'x',
    };
    commitTo(all, { ...refused, '100644 tree.md': 'not generated', '100755 tool.md': 'fine\n' });
    const { leftOut, received } = await laptop.sync();
    expect(received).toEqual(['vault/tool.md']);
    expect(laptop.files()).toEqual({ 'note.md': 'mine\n', 'tool.md': 'fine\n' });
    expect(lstatSync(join(laptop.folder, 'tool.md')).mode & 0o111).toBe(0);
    expect(leftOut).toHaveLength(Object.keys(refused).length);
    expect(existsSync(join(laptop.folder, 'tree.md')) && laptop.read('tree.md')).not.toBe('not generated');
    // The skipped files stay in the remote for clients that can use them.
    laptop.put({ 'note.md': 'mine, changed\n' });
    await laptop.sync();
    const left = git(['-c', 'core.quotePath=false', 'ls-tree', '-r', '-z', '--name-only', 'main']).split(
      '\0',
    );
    expect(left).toEqual(expect.arrayContaining(['link.md', 'sub', '.obsidian/app.json', 'large.bin']));
  });

  it('fails if the remote contains names that git forbids', async () => {
    const all = await synced();
    const blob = all.git(['hash-object', '-w', '--stdin'], 'x');
    const before = all.git(['rev-parse', 'main']);
    for (const name of ['.git', '..', '.']) {
      const tree = all.git(['mktree'], `100644 blob ${blob}\t${name}\n`);
      const identified = ['-c', 'user.name=x', '-c', 'user.email=x@x'];
      const commit = all.git([...identified, 'commit-tree', '-m', 'x', '-p', before, tree]);
      all.git(['update-ref', 'refs/heads/main', commit]);
      await expect(all.laptop.sync()).rejects.toMatchObject({ code: 'unreachable' });
      expect(all.laptop.files()).toEqual({ 'note.md': 'mine\n' });
    }
  });

  it('fails if a few objects name more than the service could hold in memory', async () => {
    const all = await synced();
    const blob = all.git(['hash-object', '-w', '--stdin'], 'x');
    // Each level contains the one below ten times, under long names: 200,000 paths of 1,200 bytes.
    const level = (entry: string, count = 10): string =>
      all.git(
        ['mktree'],
        Array.from({ length: count }, (_, index) => `${entry}\t${index}${'x'.repeat(230)}\n`).join(''),
      );
    let tree = level(`100644 blob ${blob}`);
    for (let depth = 0; depth < 3; depth += 1) tree = level(`040000 tree ${tree}`);
    tree = level(`040000 tree ${tree}`, 20);
    const identified = ['-c', 'user.name=x', '-c', 'user.email=x@x'];
    const commit = all.git([...identified, 'commit-tree', '-m', 'x', '-p', 'main', tree]);
    all.git(['update-ref', 'refs/heads/main', commit]);
    await expect(all.laptop.sync()).rejects.toMatchObject({ code: 'too-large' });
    expect(all.laptop.files()).toEqual({ 'note.md': 'mine\n' });
  });

  it('keeps both sides if names differ only in case, or if a file and a folder have the same name', async () => {
    const all = await synced({ 'folder/in.md': 'in\n' });
    commitTo(all, { '100644 NOTE.md': 'theirs\n', '100644 x/y.md': 'y\n' });
    all.laptop.put({ x: 'a file\n' });
    const { conflicts, renamed } = await all.laptop.sync();
    expect(conflicts).toEqual(['vault/NOTE.md']);
    expect(renamed).toEqual([{ from: 'vault/x', to: 'vault/x-2', why: 'folder-in-place' }]);
    const files = all.laptop.files();
    expect(files).toMatchObject({ 'note.md': 'mine\n', 'x-2': 'a file\n', 'x/y.md': 'y\n' });
    expect(Object.values(files)).toContain('theirs\n');
    const desktop = await all.machine('desktop');
    await desktop.sync();
    expect(desktop.files()).toEqual(files);
  });

  it('writes nothing through a symbolic link in the vault', async () => {
    const all = await synced();
    const elsewhere = temporaryFolder();
    symlinkSync(elsewhere, join(all.laptop.folder, 'linked'));
    commitTo(all, { '100644 linked/x.md': 'x\n' });
    const { leftOut } = await all.laptop.sync();
    expect(leftOut).toEqual([{ path: 'vault/linked/x.md', reason: 'symbolic links are not followed' }]);
    expect(existsSync(join(elsewhere, 'x.md'))).toBe(false);
  });

  it('does not change the identity or the settings of the vault', async () => {
    const all = await synced();
    const kept = all.laptop.read('.keepsake/vault.json');
    const own = '{ "id": "vault-of-all-machines", "version": 1, "upkeep": { "frontmatter": "never" } }';
    commitTo(all, { '100644 .keepsake/vault.json': own });
    await all.laptop.sync();
    expect(all.laptop.read('.keepsake/vault.json')).toBe(kept);
    commitTo(all, { '100644 .keepsake/vault.json': '{ "id": "another-vault", "version": 1 }' });
    await expect(all.laptop.sync()).rejects.toMatchObject({ code: 'other-vault' });
    commitTo(all, { '120000 .keepsake/vault.json': '/etc/hostname' });
    await expect(all.laptop.sync()).rejects.toMatchObject({ code: 'other-vault' });
    expect(all.laptop.read('.keepsake/vault.json')).toBe(kept);
  });

  it('removes control characters from summaries', async () => {
    const all = await synced();
    const head = 'commit refs/heads/main\ncommitter a\u001b[31mb\t <x@x> 1 +0000\ndata 1\nx\n';
    all.git(
      ['fast-import', '--quiet', '--force'],
      `${head}from refs/heads/main^0\nM 100644 inline new.md\ndata 1\nx\ndone\n`,
    );
    const { changes } = await all.laptop.sync();
    const summary = all.laptop.keepsake.changes.find(changes[0] ?? '')?.entry.summary;
    expect(summary).toBe('received vault/new.md, from a [31mb');
  });
});

describe('remote URL', () => {
  it.each(['ext::sh -c "touch /tmp/x"', 'fd::17', '-uother', '--upload-pack=x', '', 'ftp://host/x', 'a\nb'])(
    'is rejected if it is invalid or would make git run a program: %j',
    (address) => expect(() => parseRemoteUrl(address, '/home')).toThrow('is not the URL of a git repository'),
  );

  it.each([
    ['vault.git', '/home/vault.git'],
    ['./a:b/vault.git', '/home/a:b/vault.git'],
    ['/mnt/nas/vault.git', '/mnt/nas/vault.git'],
    ['me@host:vault.git', 'me@host:vault.git'],
    ['ssh://host/vault.git', 'ssh://host/vault.git'],
  ])('can be a folder or a host: %s', (given, address) =>
    expect(parseRemoteUrl(given, '/home')).toBe(address),
  );

  it('is shown without credentials', () => {
    expect(redactUrl("fatal: 'https://me:token@host/x' and ssh://me@host/y")).toBe(
      "fatal: 'https://host/x' and ssh://host/y",
    );
  });
});
