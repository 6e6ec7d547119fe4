import { chmodSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Makes a temporary folder the one of this process and of those it starts, and gives its path. It is in memory where there is room:
 * most of the time of tests went into waiting for the disk.
 */
export function useTemporaryFolder(): string {
  const folder = mkdtempSync(join(hasRoom('/dev/shm') ? '/dev/shm' : tmpdir(), 'keepsake-'));
  // Some tests look at it as somebody else.
  chmodSync(folder, 0o755);
  process.env['TMPDIR'] = folder;
  return folder;
}

function hasRoom(place: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(place);
    return bavail * bsize > 8e9;
  } catch {
    return false;
  }
}
