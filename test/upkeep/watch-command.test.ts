import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { processVariables, program } from '../process-variables.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import { until } from './upkeep-vault.ts';

it.each(['SIGINT', 'SIGTERM'] as const)(
  'keepsake index --watch tells what it does and ends cleanly on %s',
  async (signal) => {
    const home = temporaryFolder();
    const vault = join(home, 'vault');
    mkdirSync(vault);
    const env = { ...processVariables, HOME: home, NO_COLOR: '1' };
    // Its history is elsewhere, as on another machine: this one has to take in the files itself.
    spawnSync(process.execPath, [program, 'init', vault, '--state', join(home, 'elsewhere')], { env });
    const child = spawn(process.execPath, [program, 'index', '--watch', '--vault', vault], { env });
    let [out, err] = ['', ''];
    child.stdout.on('data', (data: Buffer) => (out += data.toString()));
    child.stderr.on('data', (data: Buffer) => (err += data.toString()));
    const ended = new Promise((done) => child.on('exit', (code, by) => done({ code, by })));
    await until(
      () => err.includes('wrote vault/tree.md') && err.includes('took 4 files'),
      'it is at work',
      40_000,
    );
    writeFileSync(join(vault, 'projects/a.md'), 'a note\n');
    await until(() => err.includes('stamped vault/projects/a.md'), 'the note is stamped', 40_000);
    child.kill(signal);
    expect(await ended).toEqual({ code: 0, by: null });
    expect(out).toBe('indexed 2 files (2 sections new); 2 files in 2 sections\n');
    const [first, ...lines] = err.trimEnd().split('\n');
    expect(first).toMatch(/^watching .*vault; stop with Ctrl-C$/);
    expect(lines).toEqual(
      expect.arrayContaining([
        'took 4 files into history as they are',
        'wrote vault/tree.md',
        'noticed 1 changed file',
        'stamped vault/projects/a.md',
      ]),
    );
  },
);

it('keepsake index status refuses to watch', () => {
  const { status, stderr } = spawnSync(process.execPath, [program, 'index', 'status', '--watch'], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('status stands alone') });
});
