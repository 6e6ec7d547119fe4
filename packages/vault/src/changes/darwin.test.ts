import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeDarwin } from '../../../../test/fake-darwin.ts';
import { layOut, temporaryFolder } from '../../../../test/temporary-vault.ts';
import { exchangeFiles } from './atomic-files.ts';
import { isProcessDead, isSameHost, processMarker } from './process-liveness.ts';

const darwin = fakeDarwin();

describe('the owner of a lock on macOS', () => {
  it('is recognized after the network has renamed the machine, but not after a restart', () => {
    darwin.startTimes.set(process.pid, [1_700_000_000n, 25n]);
    const host = processMarker(process.pid);
    expect(host).toBe('boot BOOT-1#1700000000.25');
    expect(isSameHost({ host })).toBe(true);
    expect(isSameHost({ host: 'boot BOOT-0#1700000000.25' })).toBe(false);
  });

  it('is dead when its pid belongs to another process', () => {
    darwin.startTimes.set(process.pid, [1_700_000_000n, 25n]);
    const host = processMarker(process.pid);
    expect(isProcessDead({ pid: process.pid, host })).toBe(false);
    darwin.startTimes.set(process.pid, [1_700_000_000n, 26n]);
    expect(isProcessDead({ pid: process.pid, host })).toBe(true);
  });
});

describe('changing files on macOS', () => {
  it('exchanges two files in one call', () => {
    const folder = temporaryFolder();
    layOut(folder, { a: 'new', b: 'old' });
    expect(exchangeFiles(join(folder, 'a'), join(folder, 'b'))).toBe(true);
    expect(readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual([
      'old',
      'new',
    ]);
  });
});
