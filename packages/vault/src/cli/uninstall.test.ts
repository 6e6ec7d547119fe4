import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeWindows } from '../../../../test/fake-windows.ts';
import { runCommand } from '../../../../test/run-command.ts';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';

fakeWindows();

describe('keepsake uninstall on Windows', () => {
  it('removes the scheduled task that starts the service, if there is one', async () => {
    const home = temporaryFolder();
    const log = join(home, 'calls');
    const variables = { USERPROFILE: home, PATH: home };
    expect(await runCommand(['uninstall'], { variables })).toMatchObject({ code: 0, out: '' });
    writeFileSync(join(home, 'schtasks.exe'), `#!/bin/sh\necho "$@" >> '${log}'\n`, { mode: 0o755 });
    expect((await runCommand(['uninstall'], { variables })).out).toBe('scheduled task Keepsake\n');
    const { out } = await runCommand(['uninstall', '--yes'], { variables });
    expect(out).toBe('removed scheduled task Keepsake\n');
    expect(readFileSync(log, 'utf8').trim().split('\n').slice(1)).toEqual([
      '/Query /TN Keepsake',
      '/End /TN Keepsake',
      '/Delete /TN Keepsake /F',
    ]);
  });
});
