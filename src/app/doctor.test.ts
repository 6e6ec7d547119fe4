import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-vault.ts';
import { diagnose } from './doctor.ts';
import { readEnvironment } from './environment.ts';

it('what to do is shown whole, whatever the names in it', async () => {
  const vault = join(temporaryFolder(), 'work; notes');
  const environment = readEnvironment({ PATH: process.env['PATH'], XDG_CONFIG_HOME: temporaryFolder() });
  expect((await diagnose({ vault, environment })).at(-1)).toEqual({
    name: 'vault',
    status: 'failed',
    message: `cannot open ${vault}`,
    mend: `create a vault there with: keepsake init ${vault}`,
  });
});
