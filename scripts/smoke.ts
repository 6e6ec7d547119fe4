// npm run smoke: packs the tarball, installs it in an empty folder as a user would, and follows the README.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'keepsake-smoke-'));
try {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--silent', '--pack-destination', folder], { encoding: 'utf8' }),
  ) as { filename: string; files: { path: string }[] }[];
  if (packed === undefined) throw new Error('npm pack made nothing');
  const strays = packed.files
    .map(({ path }) => path)
    .filter((path) => !/^(dist\/.*\.js|package\.json|README\.md|LICENSE|CHANGELOG\.md)$/.test(path));
  if (strays.length > 0)
    throw new Error(`the tarball holds files that do not belong there: ${strays.join(', ')}`);

  const prefix = join(folder, 'prefix');
  const home = join(folder, 'home');
  mkdirSync(prefix);
  mkdirSync(home);
  writeFileSync(join(prefix, 'package.json'), '{"private": true}');
  execFileSync(
    'npm',
    [
      'install',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      join(folder, packed.filename),
    ],
    { cwd: prefix, stdio: 'inherit' },
  );

  const megabytes = Number(execFileSync('du', ['-sm', prefix], { encoding: 'utf8' }).split('\t')[0]);
  console.log(`installed: ${megabytes} MB`);
  if (megabytes > 120) throw new Error('the installation takes more than 120 MB');

  // The first block of commands in the README, but for the installation, which just happened.
  const commands = /```sh\n([\s\S]*?)```/
    .exec(readFileSync('README.md', 'utf8'))?.[1]
    ?.split('\n')
    .filter((line) => line.startsWith('keepsake ') || line.startsWith('cd '));
  if (commands === undefined || commands.length < 2) throw new Error('the README shows no commands to try');
  const env = {
    HOME: home,
    PATH: `${resolve(prefix, 'node_modules/.bin')}:${process.env['PATH']}`,
    LANG: 'C.UTF-8',
  };
  const { status, stdout, stderr } = spawnSync('bash', ['-euc', commands.join('\n')], {
    cwd: home,
    env,
    encoding: 'utf8',
  });
  console.log(`${commands.map((line) => `$ ${line}`).join('\n')}\n${stdout}${stderr}`);
  if (status !== 0) throw new Error(`the commands of the README failed with ${status}`);
  for (const expected of [
    'Created a vault in',
    'overview.md',
    '7  | <!--',
    'vault/bucket/boiler.md (lines',
  ]) {
    if (!stdout.includes(expected))
      throw new Error(`the commands of the README did not print ${JSON.stringify(expected)}`);
  }
  console.log('smoke passed');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
