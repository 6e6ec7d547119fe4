import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { missing } from '../../../../test/missing.ts';

it.skipIf(missing('POSIX'))('a busy worker exits when its parent is killed', async () => {
  const script = fileURLToPath(new URL('../../../../test/intake/orphan.mjs', import.meta.url));
  const { promise, resolve } = Promise.withResolvers<string>();
  execFile(process.execPath, [script], (_, stdout) => resolve(stdout));
  const pid = Number(await promise);
  expect(pid).toBeGreaterThan(1);
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), {
    timeout: 10_000,
    interval: 100,
  });
});
