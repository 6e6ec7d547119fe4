import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { missing } from '../../../../test/missing.ts';
import { interceptCalls } from '../../../../test/intercepted-calls.ts';
import { roomVault } from '../../../../test/room-vault.ts';
import { resolveRoot } from '../vault/open-path.ts';
import type { VaultPath } from '../vault/path.ts';
import { isBeingWritten, probeFileSystem } from './atomic-files.ts';
import { writeTreeFile } from './tree-file.ts';

const calls = interceptCalls();
/** F_SETLEASE, which NFS without a delegation and CIFS without an oplock always refuse. */
const setLease = 1024;

describe.skipIf(missing('POSIX'))('a file system that refuses every lease', () => {
  it('makes writers undetectable, and is probed only once', async () => {
    let tries = 0;
    calls.intercept = (name, args) => {
      if (name === 'openSync' && String(args[0]).includes('.keepsake-try-') && args[1] === 'wx') tries += 1;
      return name === 'fcntl' && args[1] === setLease ? 'EAGAIN' : null;
    };
    const { folder, callTool } = await roomVault({ 'note.md': 'one\n' });
    const root = resolveRoot(folder);
    const fd = openSync(join(folder, 'note.md'), 'r');
    onTestFinished(() => closeSync(fd));
    expect(isBeingWritten(fd, root, 'vault/note.md' as VaultPath)).toBeNull();
    for (const content of ['two', 'three'])
      await callTool({
        tool: 'append',
        input: { path: 'note.md', content, position: 'bottom' },
        reader: 'person',
        origin: 'test',
        run: 'one',
      });
    expect(tries).toBe(1);
    expect(readFileSync(join(folder, 'note.md'), 'utf8')).toMatch(/two\s+three/);
    expect(readdirSync(folder).toSorted()).toEqual(['.keepsake', 'note.md']);
    expect(writeTreeFile(root, null, 'one')).toBe(true);
    expect(writeTreeFile(root, Buffer.from('one'), 'two')).toBe(true);
    expect(probeFileSystem(root).canDetectWriters).toBe(false);
  });
});
