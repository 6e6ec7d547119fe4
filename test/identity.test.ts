import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openKeepsake, readEnvironment } from '../packages/vault/src/app/index.ts';
import {
  adoptVault,
  resolveRoot,
  readIdentity,
  regenerateIdentity,
} from '../packages/vault/src/vault/index.ts';
import { missing } from './missing.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';

/** A folder that contains a vault, with one state home for all vaults. */
function aPlace(): {
  place: string;
  vault: string;
  visit: (path: string, text?: string) => Promise<string[]>;
} {
  const place = temporaryFolder();
  const environment = {
    ...readEnvironment({ PATH: process.env['PATH'], XDG_STATE_HOME: join(place, 'home') }),
    home: place,
  };
  /** Opens the vault by this path, queues the text if there is one, and returns the waiting updates. */
  const visit = async (path: string, text?: string): Promise<string[]> => {
    const keepsake = await openKeepsake({ vault: path, environment });
    try {
      const { updates } = keepsake.agents;
      if (text !== undefined)
        await updates.accept({ text, files: [], source: { kind: 'person', name: 'test' } });
      return updates.list({ limit: 9 }).map(({ input }) => input.text);
    } finally {
      await keepsake.close();
    }
  };
  const vault = join(place, 'vault');
  layOut(vault, { 'a.md': 'a\n' });
  return { place, vault, visit };
}

const idOf = (vault: string): string | undefined => readIdentity(resolveRoot(vault))?.id;

describe('a vault folder', () => {
  it.skipIf(missing('mounts'))('that is mounted twice has one queue, by either path', async () => {
    const { place, vault, visit } = aPlace();
    const other = join(place, 'other');
    await visit(vault, 'one');
    const id = idOf(vault);
    mkdirSync(other);
    execFileSync('mount', ['--bind', vault, other]);
    onTestFinished(() => void spawnSync('umount', ['-l', other]));
    expect(await visit(other, 'two')).toEqual(['two', 'one']);
    expect(await visit(vault, 'three')).toEqual(['three', 'two', 'one']);
    expect(idOf(vault)).toBe(id);
    spawnSync('umount', [other]);
    expect(await visit(vault)).toEqual(['three', 'two', 'one']);
  });

  it('keeps its identity behind a link and after a move, even when something else takes its old place', async () => {
    const { place, vault, visit } = aPlace();
    await visit(vault, 'one');
    symlinkSync(vault, join(place, 'link'));
    expect(await visit(join(place, 'link'), 'two')).toEqual(['two', 'one']);
    const moved = join(place, 'moved');
    renameSync(vault, moved);
    writeFileSync(vault, 'a file by now');
    expect(await visit(moved)).toEqual(['two', 'one']);
    rmSync(vault);
    layOut(vault, { '.keepsake/vault.json': 'damaged' });
    expect(await visit(moved, 'three')).toEqual(['three', 'two', 'one']);
  });

  it('that was restored in place from a backup keeps its queue, although its inode number differs', async () => {
    const { place, vault, visit } = aPlace();
    await visit(vault, 'one');
    cpSync(vault, join(place, 'backup'), { recursive: true });
    rmSync(vault, { recursive: true });
    renameSync(join(place, 'backup'), vault);
    expect(await visit(vault, 'two')).toEqual(['two', 'one']);
  });

  it('keeps its state from an older version of Keepsake, which recorded only the path', async () => {
    const { place, vault, visit } = aPlace();
    await visit(vault, 'one');
    const recorded = join(place, 'home', 'keepsake', idOf(vault) ?? '', 'vault-path');
    expect(readFileSync(recorded, 'utf8')).toBe(`${vault}\n`);
    writeFileSync(recorded, `${vault}\n`);
    expect(await visit(vault, 'two')).toEqual(['two', 'one']);
  });

  it('with different inode numbers on two mounts is recognized as one folder and keeps its id', () => {
    const { place, vault } = aPlace();
    adoptVault(resolveRoot(vault));
    const id = idOf(vault);
    symlinkSync(vault, join(place, 'alias'));
    expect(regenerateIdentity(resolveRoot(vault), join(place, 'alias'))).toBe(false);
    expect(idOf(vault)).toBe(id);
    expect(readdirSync(join(vault, '.keepsake'))).toEqual(['vault.json']);
  });
});

describe('a copy of a vault', () => {
  it('gets a new id with its first write, and has its own state', async () => {
    const { place, vault, visit } = aPlace();
    const copy = join(place, 'copy');
    await visit(vault, 'one');
    cpSync(vault, copy, { recursive: true });
    expect(await visit(copy)).toEqual([]);
    expect(await visit(copy, 'of the copy')).toEqual(['of the copy']);
    expect(idOf(copy)).not.toBe(idOf(vault));
    expect(await visit(vault)).toEqual(['one']);
    expect(readdirSync(join(copy, '.keepsake'))).toEqual(['vault.json']);
  });
});

describe('a state folder inside the vault', () => {
  it('is rejected, even if its path contains symbolic links', async () => {
    const { place, vault } = aPlace();
    layOut(vault, { 'sub/b.md': 'b\n' });
    symlinkSync(join(vault, 'sub'), join(place, 'into'));
    symlinkSync(vault, join(place, 'link'));
    for (const state of [
      join(vault, 'state'),
      join(place, 'link', 'state'),
      join(place, 'into', 'deep', 'state'),
    ])
      await expect(openKeepsake({ vault, state, environment: readEnvironment({}) })).rejects.toThrow(
        'is inside the vault',
      );
    const beside = await openKeepsake({ vault, state: `${vault}-state`, environment: readEnvironment({}) });
    await beside.close();
  });
});
