// Tests that need a separate process. Other tests run commands in this process: run-command.ts.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { readPackageVersion } from '../packages/vault/src/app/index.ts';
import { processVariables, program } from './process-variables.ts';
import { runCommand } from './run-command.ts';
import type { Ran } from './run-command.ts';
import { laidOut, layOut, temporaryFolder } from './temporary-vault.ts';
import type { Files } from './temporary-vault.ts';

type Place = { home: string; vault: string };

function place(files: Files): Place {
  const home = temporaryFolder();
  layOut(join(home, 'vault'), { ...laidOut, ...files });
  return { home, vault: join(home, 'vault') };
}

/** `through` is a command that starts the program. */
function start({ home, vault }: Place, args: string[], through: string[] = []) {
  const [command = '', ...all] = [...through, process.execPath, program, ...args];
  const child = spawn(command, all, { cwd: vault, env: { ...processVariables, HOME: home } });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function keepsake(at: Place, args: string[], { input = '', through = [] as string[] } = {}) {
  const child = start(at, args, through);
  child.stdin.end(input);
  const ended = once(child, 'close') as Promise<[number | null]>;
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out, err };
}

it('the program prints its version', async () => {
  expect(await keepsake(place({}), ['--version'])).toEqual({
    code: 0,
    out: `${readPackageVersion()}\n`,
    err: '',
  });
});

it('the program uses the standard streams, working folder, environment variables and exit code of its process', async () => {
  const at = place({});
  const written = await keepsake(at, ['write', 'a.md'], { input: 'one\n' });
  expect(written).toMatchObject({ code: 0, out: expect.stringContaining('created vault/a.md'), err: '' });
  expect(readFileSync(join(at.vault, 'a.md'), 'utf8')).toMatch(/one\n$/);
  expect(existsSync(join(at.home, '.local/state/keepsake'))).toBe(true);
  expect(await keepsake(at, ['read', 'b.md'])).toMatchObject({ code: 1, err: '' });
  expect(await keepsake(at, ['raed'])).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/^error: unknown command 'raed'\n\(Did you mean read\?\)\n$/),
  });
});

it('the program exits quietly when the reader of a pipe closes it', async () => {
  const at = place({ 'a.md': 'line\n'.repeat(200_000) });
  const through = ['bash', '-c', '"$@" | head -n 1; echo "${PIPESTATUS[0]}"', 'bash'];
  const { out, err } = await keepsake(at, ['read', 'a.md'], { through });
  expect({ out, err }).toEqual({ out: '```vault/a.md\n0\n', err: '' });
});

it('the program rejects an argument that is not UTF-8', async (context) => {
  if (process.platform !== 'linux') return context.skip('only Linux exposes the bytes of arguments');
  const at = place({ 'a.md': 'one\n' });
  const through = ['sh', '-c', `exec "$@" --new "$(printf 'caf\\351')"`, 'sh'];
  const { code, err } = await keepsake(at, ['edit', 'a.md', '--old', 'one'], { through });
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('is not valid UTF-8') });
  expect(readFileSync(join(at.vault, 'a.md'), 'utf8')).toBe('one\n');
});

it.each(['SIGINT', 'SIGTERM'] as const)('the program stops serving on %s', async (signal) => {
  const child = start(place({}), ['serve', '--port', '0']);
  await once(child.stdout, 'data');
  child.kill(signal);
  expect(await once(child, 'close')).toEqual([0, null]);
});

it('the program reports missing permissions for a vault', async (context) => {
  const isRoot = process.getuid?.() === 0;
  if (isRoot && spawnSync('setpriv', ['--version']).status !== 0)
    return context.skip('runs as root without setpriv, so permissions do not apply');
  const at = place({ 'a.md': 'x', 'closed.md': 'x' });
  chmodSync(at.home, 0o755);
  chmodSync(join(at.vault, 'closed.md'), 0);
  const locked = join(at.home, 'locked');
  mkdirSync(locked);
  for (const folder of [at.vault, locked]) {
    chmodSync(folder, 0o555);
    // So that a user who is not root can delete it.
    onTestFinished(() => chmodSync(folder, 0o755));
  }
  const through = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : ['env'];
  const nowhere = { ...at, home: '/nonexistent' };
  const state = join(locked, 'state');
  const checked = await keepsake(nowhere, ['doctor', '--state', state, '--json'], { through });
  const { checks } = JSON.parse(checked.out) as { checks: { name: string; status: string }[] };
  expect(checked.code).toBe(1);
  expect(Object.fromEntries(checks.map(({ name, status }) => [name, status]))).toMatchObject({
    permissions: 'warning',
    'state folder': 'failed',
  });
  expect(await keepsake(nowhere, ['read', 'closed.md', 'a.md'], { through })).toMatchObject({
    code: 1,
    out: expect.stringMatching(/1 {2}\| x\n```\n\nerror: vault\/closed\.md: permission denied/),
  });
});

it('two concurrent imports of the same source import it once, even while other commands write', async () => {
  const at = place({});
  const source = join(at.home, 'source');
  layOut(
    source,
    Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`n${index}.md`, `# Note ${index}\n`])),
  );
  const here = (args: string[], input = ''): Promise<Ran> =>
    runCommand(args, { cwd: at.vault, variables: { HOME: at.home }, input });
  const imports = [1, 2].map(() => keepsake(at, ['import', source, '--json']));
  const writes = Array.from({ length: 8 }, (_, index) =>
    here(['write', `bucket/own-${index}.md`], `mark ${index}\n`),
  );
  const ran = await Promise.all([...imports, ...writes]);
  expect(ran.map(({ code, err }) => ({ code, err }))).toEqual(
    Array.from({ length: 10 }, () => ({ code: 0, err: '' })),
  );
  expect(readdirSync(join(at.vault, 'bucket/source'))).toHaveLength(300);
  for (const [index] of writes.entries())
    expect(readFileSync(join(at.vault, `bucket/own-${index}.md`), 'utf8')).toContain(`mark ${index}`);
  const { changes } = JSON.parse((await here(['history', '--json'])).out) as {
    changes: { origin: string }[];
  };
  expect(changes.filter(({ origin }) => origin === 'import')).toHaveLength(1);
});
