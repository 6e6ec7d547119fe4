import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand, startCommand } from '../run-command.ts';
import { temporaryFolder } from '../temporary-vault.ts';

it.each(['SIGINT', 'SIGTERM'] as const)(
  'keepsake index --watch reports its actions and exits cleanly on %s',
  async (signal) => {
    const home = temporaryFolder();
    const vault = join(home, 'vault');
    mkdirSync(vault);
    const variables = { HOME: home };
    // Its history is in another state folder, as on another machine, so this one has to add the files itself.
    await runCommand(['init', vault, '--state', join(home, 'elsewhere')], { variables });
    const watching = startCommand(['index', '--watch', '--vault', vault], { variables });
    await Promise.all([watching.saying(/wrote vault\/tree\.md/), watching.saying(/added 4 files/)]);
    writeFileSync(join(vault, 'projects/a.md'), 'a note\n');
    await watching.saying(/stamped vault\/projects\/a\.md/);
    watching.send(signal);
    const { code, out, err } = await watching.ended;
    expect(code).toBe(0);
    expect(out).toBe('indexed 2 files (2 new chunks); 2 files in 2 chunks\n');
    const [first, ...lines] = err.trimEnd().split('\n');
    expect(first).toMatch(/^watching .*vault; stop with Ctrl-C$/);
    expect(lines).toEqual(
      expect.arrayContaining([
        'added 4 files to the history baseline',
        'wrote vault/tree.md',
        'noticed 1 changed file',
        'stamped vault/projects/a.md',
      ]),
    );
  },
);

it('keepsake index status rejects --watch', async () => {
  const { code, err } = await runCommand(['index', 'status', '--watch']);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('status takes no options') });
});
