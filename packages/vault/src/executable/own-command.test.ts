import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { useTemporaryFolder } from '../../../../test/use-temporary-folder.ts';
import { ownCommand, scriptCommand } from './own-command.ts';

const root = realpathSync(useTemporaryFolder());

it('a process of the npm package is started with Node.js, its flags and the script', () => {
  const started = { isExecutable: false, program: '/usr/bin/node' };
  const script = join(root, 'main.js');
  writeFileSync(script, '');
  symlinkSync(script, join(root, 'link'));
  expect(ownCommand(join(root, 'link'), '', started)).toEqual(['/usr/bin/node', script]);
  expect(scriptCommand('/p/worker.js', ['--permission'], started)).toEqual({
    command: ['/usr/bin/node', '--permission', '/p/worker.js'],
    env: {},
  });
});

it('a process of the single executable gets script and flags by variables', () => {
  const started = { isExecutable: true, program: '/opt/keepsake' };
  expect(
    scriptCommand(
      String.raw`C:\a b\worker.js`,
      ['--permission', String.raw`--allow-fs-read=C:\a "b`],
      started,
    ),
  ).toEqual({
    command: ['/opt/keepsake'],
    env: {
      KEEPSAKE_PROGRAM_SCRIPT: String.raw`C:\a b\worker.js`,
      NODE_OPTIONS: String.raw`"--permission" "--allow-fs-read=C:\\a \"b"`,
    },
  });
  expect(scriptCommand('/x.js', [], started).env).toEqual({ KEEPSAKE_PROGRAM_SCRIPT: '/x.js' });
});

it('configuration files name the executable as the search path does, so that an upgrade keeps it valid', () => {
  const [cellar, bin] = [join(root, 'cellar/1.0'), join(root, 'bin')];
  for (const folder of [cellar, bin]) mkdirSync(folder, { recursive: true });
  const program = join(cellar, 'keepsake');
  writeFileSync(program, '');
  const started = { isExecutable: true, program };
  expect(ownCommand('/unused', bin, started)).toEqual([program]);
  symlinkSync(program, join(bin, 'keepsake'));
  expect(ownCommand('/unused', ['', root, bin].join(delimiter), started)).toEqual([join(bin, 'keepsake')]);
});
