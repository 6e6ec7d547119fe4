import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from './run-command.ts';
import type { Ran } from './run-command.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';

/** Runs a command in a home without a vault. */
function createPlace(): { home: string; run: (args: string[], cwd?: string) => Promise<Ran> } {
  const home = temporaryFolder();
  return {
    home,
    run: (args, cwd = home) => runCommand(args, { cwd, variables: { HOME: home, LANG: 'en_US.UTF-8' } }),
  };
}

describe('keepsake without a command', () => {
  it('says what Keepsake is and names one command if there is no vault', async () => {
    const { code, out, err } = await createPlace().run([]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.match(/keepsake [a-z]+/g)).toEqual(['keepsake setup']);
    expect(out.trim().split('\n').length).toBeLessThanOrEqual(5);
  });

  it('prints help in a vault, and if one is configured', async () => {
    const { home, run } = createPlace();
    const vault = join(home, 'vault');
    await run(['init', vault]);
    expect((await run([], vault)).err).toContain('Usage: keepsake');
    await run(['config', 'vault', vault]);
    expect((await run([])).err).toContain('Usage: keepsake');
  });
});

describe('a command line with a mistake', () => {
  it('is answered with usage and an example if an argument is missing', async () => {
    const { run } = createPlace();
    expect(await run(['find'])).toMatchObject({
      code: 2,
      err: `error: missing required argument 'query'
usage: keepsake find [options] <query...>
example: keepsake find "why did we drop the external API"
`,
    });
    expect((await run(['config', 'key'])).err).toContain('\nexample: keepsake config key anthropic\n');
    expect((await run(['restore', 'a.md'])).err).toContain('\nexample: keepsake restore tasks.md 3f2c…\n');
  });

  it('is answered with what is near', async () => {
    const { run } = createPlace();
    expect((await run(['help', 'fnd'])).err).toBe("error: unknown command 'fnd'\n(Did you mean find?)\n");
    expect((await run(['connect', 'claude'])).err).toContain(
      '(Did you mean one of claude-code, claude-desktop?)\n',
    );
    expect((await run(['connect', 'cusror'])).err).toContain('(Did you mean cursor?)\n');
    expect((await run(['config', 'modle'])).err).toContain('(Did you mean model?)\n');
    expect(await run(['token', 'list'])).toMatchObject({
      code: 2,
      err: 'error: keepsake token has no command list; it has create, revoke; without one: list the access tokens of this vault\n',
    });
  });

  it('still fails for an unknown command behind help, and shows the help of a known one', async () => {
    const { run } = createPlace();
    expect(await run(['help', 'nope'])).toMatchObject({ code: 2, out: '' });
    expect((await run(['help', 'find'])).out).toMatch(/^Usage: keepsake find/);
    expect((await run(['help'])).out).toMatch(/^Usage: keepsake \[options\]/);
  });
});

it('--vault means the same before and behind the command', async () => {
  const { home, run } = createPlace();
  const vault = join(home, 'vault');
  await run(['init', vault]);
  layOut(vault, { 'bucket/a.md': 'words\n' });
  const behind = await run(['read', 'bucket/a.md', '--vault', vault]);
  expect(behind.out).toContain('words');
  expect(await run(['--vault', vault, 'read', 'bucket/a.md'])).toEqual(behind);
  expect(await run([`--vault=${vault}`, 'read', 'bucket/a.md'])).toEqual(behind);
});

it('help lists the commands of the first steps first, and serve before open', async () => {
  const { run } = createPlace();
  const headings = (await run(['help', 'all'])).out.match(/^[A-Z][a-z ]+:$/gm);
  expect(headings?.slice(0, 7)).toEqual([
    'Options:',
    'Start:',
    'Remember:',
    'Recall:',
    'Correct:',
    'Keep:',
    'More commands:',
  ]);
  const { out } = await run(['help']);
  expect(out.indexOf('  serve ')).toBeGreaterThan(0);
  expect(out.indexOf('  serve ')).toBeLessThan(out.indexOf('  open '));
});

it('a folder that the system refuses is refused, and nothing is left', async (context) => {
  if (process.platform !== 'linux') return context.skip('only Linux has a folder in which none can be made');
  const { home, run } = createPlace();
  const vault = join(home, 'vault');
  await run(['init', vault]);
  for (const command of [['init'], ['backup'], ['demo', '--no-open']]) {
    const { code, err } = await run([...command, '/proc/no/folder'], vault);
    expect(code).not.toBe(0);
    expect(err).toMatch(/^error: .*\/proc\/no/);
    expect(err).not.toMatch(/ENOENT: no such/);
  }
  expect(existsSync('/proc/no')).toBe(false);
});

it('an error of the system is said in words', async () => {
  const { home, run } = createPlace();
  await run(['init', join(home, 'vault')]);
  layOut(home, { 'a-file': '' });
  const { code, err } = await run(['backup', join(home, 'a-file', 'x')], join(home, 'vault'));
  expect(code).not.toBe(0);
  expect(err).toMatch(/^error: .*a part of the path is a file, not a folder\n$/);
});

describe('a text that is typed', () => {
  it('is asked for on a terminal', async () => {
    const { home, run } = createPlace();
    await run(['init', join(home, 'vault')]);
    const options = { cwd: join(home, 'vault'), variables: { HOME: home }, isTerminal: true };
    for (const args of [
      ['write', 'bucket/a.md'],
      ['append', 'bucket/a.md'],
      ['add', '-'],
    ]) {
      const { code, err } = await runCommand(args, { ...options, input: 'A line.\n' });
      expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('then press Ctrl-D') });
    }
  });

  it('may not be empty, except with --empty', async () => {
    const { home, run } = createPlace();
    const vault = join(home, 'vault');
    await run(['init', vault]);
    const refused = await run(['write', 'bucket/a.md'], vault);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('pass --empty') });
    expect(await run(['append', 'tasks.md'], vault)).toMatchObject({ code: 2 });
    expect(existsSync(join(vault, 'bucket/a.md'))).toBe(false);
    expect(await run(['write', 'bucket/a.md', '--empty'], vault)).toMatchObject({ code: 0 });
    expect(existsSync(join(vault, 'bucket/a.md'))).toBe(true);
  });
});

it('what the demo proposes to try finds something that fits', async () => {
  const { home, run } = createPlace();
  const { out } = await run(['demo', 'tries', '--no-open']);
  const commands = [...out.matchAll(/^ {2}keepsake (find "(.*)"|today)$/gm)];
  expect(commands.length).toBeGreaterThanOrEqual(3);
  for (const [, whole, query] of commands) {
    const args = query === undefined ? [whole ?? ''] : ['find', query];
    const { code, out: found, err } = await run(args, join(home, 'tries'));
    expect(code).toBe(0);
    expect(found + err).not.toContain('nothing fits');
    expect(found.split('\n').length).toBeGreaterThan(3);
  }
});
