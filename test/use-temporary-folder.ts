import { chmodSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates a temporary folder for this process and its children, and returns its path. The folder is in memory if there
 * is room, because tests would otherwise spend most of their time waiting for the disk.
 */
export function useTemporaryFolder(): string {
  const folder = mkdtempSync(join(hasRoom('/dev/shm') ? '/dev/shm' : tmpdir(), 'keepsake-'));
  // Some tests access it as another user.
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
