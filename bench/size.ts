import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { installGlobally, megabytes, pack } from '../scripts/install-packed.ts';
import type { Size } from './measure.ts';

const goal = 110;

/**
 * `npm run bench -- size [tarball]`: prints the size of an installation and of its large parts, whose purpose
 * docs/dependencies.md explains.
 */
export async function sizeBench(_: Size, tarball?: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-bench-'));
  try {
    const prefix = join(folder, 'prefix');
    installGlobally(tarball === undefined ? pack('vault', folder).file : resolve(tarball), prefix);
    const installed = join(prefix, 'lib/node_modules/keepsake-vault');
    const parts = globSync('{node_modules/[^@]*,node_modules/@*/*,dist/*}', { cwd: installed })
      .map((part) => ({ part, size: megabytes(join(installed, part)) }))
      .filter(({ size }) => size > 3)
      .toSorted((a, b) => b.size - a.size);
    for (const { part, size } of parts) console.log(`${size.toFixed(1).padStart(6)} MB  ${part}`);
    const total = megabytes(prefix);
    console.log(
      `${total.toFixed(1).padStart(6)} MB  in total, ${total <= goal ? 'within' : 'over'} ${goal} MB`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
