import { existsSync, lstatSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAddress, showAddress } from '../../packages/vault/src/sync/index.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import { identity, someMachines } from './machines.ts';
import type { Machines } from './machines.ts';

/** A commit over what the remote has, whatever names and kinds of files it is given: `mode name` to content. */
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
  const all = someMachines();
  const laptop = await all.machine('laptop', { ...identity, 'note.md': 'mine\n', ...files });
  await laptop.sync();
  return { ...all, laptop };
}

describe('a hostile remote', () => {
  it('brings only files that a vault may have; the rest stays where it is, and is told of', async () => {
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
    // And it is not taken away from whoever can have it.
    laptop.put({ 'note.md': 'mine, changed\n' });
    await laptop.sync();
    const left = git(['-c', 'core.quotePath=false', 'ls-tree', '-r', '-z', '--name-only', 'main']).split(
      '\0',
    );
    expect(left).toEqual(expect.arrayContaining(['link.md', 'sub', '.obsidian/app.json', 'large.bin']));
  });

  it('is refused when it names what git itself forbids', async () => {
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

  it('cannot put one file over another that differs in case, nor a folder over a file: both stand', async () => {
    const all = await synced({ 'folder/in.md': 'in\n' });
    commitTo(all, { '100644 NOTE.md': 'theirs\n', '100644 x/y.md': 'y\n' });
    all.laptop.put({ x: 'a file\n' });
    const { asked } = await all.laptop.sync();
    expect(asked).toEqual(['vault/NOTE.md', 'vault/x/y.md']);
    const files = all.laptop.files();
    expect(files).toMatchObject({ 'note.md': 'mine\n', x: 'a file\n', 'folder/in.md': 'in\n' });
    expect(Object.values(files)).toEqual(expect.arrayContaining(['theirs\n', 'y\n']));
    const desktop = await all.machine('desktop');
    await desktop.sync();
    expect(desktop.files()).toEqual(files);
  });

  it('writes nothing through a link in the vault', async () => {
    const all = await synced();
    const elsewhere = temporaryFolder();
    symlinkSync(elsewhere, join(all.laptop.folder, 'linked'));
    commitTo(all, { '100644 linked/x.md': 'x\n' });
    const { leftOut } = await all.laptop.sync();
    expect(leftOut).toEqual([{ path: 'vault/linked/x.md', reason: 'symbolic links are refused' }]);
    expect(existsSync(join(elsewhere, 'x.md'))).toBe(false);
  });

  it('cannot change which vault this is, nor how it is kept', async () => {
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

  it('cannot add lines to what is told of it', async () => {
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

describe('the address of a remote', () => {
  it.each(['ext::sh -c "touch /tmp/x"', 'fd::17', '-uother', '--upload-pack=x', '', 'ftp://host/x', 'a\nb'])(
    'is refused where git would start a program, or it is none: %j',
    (address) => expect(() => parseAddress(address, '/home')).toThrow('no address of a git repository'),
  );

  it.each([
    ['vault.git', '/home/vault.git'],
    ['./a:b/vault.git', '/home/a:b/vault.git'],
    ['/mnt/nas/vault.git', '/mnt/nas/vault.git'],
    ['me@host:vault.git', 'me@host:vault.git'],
    ['ssh://host/vault.git', 'ssh://host/vault.git'],
  ])('is a folder or a host: %s', (given, address) => expect(parseAddress(given, '/home')).toBe(address));

  it('is shown without a name and password', () => {
    expect(showAddress("fatal: 'https://me:token@host/x' and ssh://me@host/y")).toBe(
      "fatal: 'https://host/x' and ssh://host/y",
    );
  });
});
