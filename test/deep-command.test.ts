import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { processVariables } from './process-variables.ts';
import { startScriptedModels } from './scripted-models/server.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';

it('a model behind an address is chosen, makes vectors and is asked, by three commands', async () => {
  const server = await startScriptedModels();
  onTestFinished(() => server.close());
  const home = temporaryFolder();
  const vault = join(home, 'vault');
  mkdirSync(vault);
  layOut(vault, { 'zebra.md': '# Zebra\nstripes\n', 'boiler.md': '# Boiler\nOctober\n' });
  const keepsake = (...args: string[]): Promise<string> =>
    new Promise((done, fail) => {
      // Not synchronously: the server that it asks lives in this process.
      execFile(
        process.execPath,
        ['src/cli/main.ts', ...args],
        { env: { ...processVariables, HOME: home } },
        (error, out, err) => (error === null ? done(out) : fail(new Error(err))),
      );
    });
  await keepsake('models', 'use', 'm1', '--url', server.baseUrl);
  expect(await keepsake('index', '--vault', vault)).toContain('2 files in 2 sections');
  const found = await keepsake('find', 'stripes', '--deep', '--vault', vault, '--json');
  expect(JSON.parse(found)).toMatchObject({ stages: ['lexical', 'vector'], degraded: [] });
  expect(await keepsake('models', 'use', 'none')).toContain('none');
  expect(readdirSync(vault).toSorted()).toEqual(['boiler.md', 'zebra.md']);
}, 30_000);
