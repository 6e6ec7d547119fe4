import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../run-command.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';

type Home = {
  read: (path: string) => string;
  has: (path: string) => boolean;
  run: (
    args: string[],
    options?: { input?: string; language?: string },
  ) => Promise<{ code: number; out: string; err: string }>;
};

async function createHome(): Promise<Home> {
  const home = temporaryFolder();
  layOut(home, { 'code/.git/config': '[remote "origin"]\n\turl = git@github.com:ada/startup-x.git\n' });
  const run: Home['run'] = (args, { input, language = 'en' } = {}) =>
    runCommand(args, {
      cwd: join(home, 'code'),
      variables: { HOME: home, KEEPSAKE_VAULT: join(home, 'vault'), LANG: `${language}_XX.UTF-8` },
      ...(input !== undefined && { input, isTerminal: true }),
    });
  await run(['init', join(home, 'vault')]);
  return {
    run,
    read: (path) => readFileSync(join(home, path), 'utf8'),
    has: (path) => existsSync(join(home, path)),
  };
}

it('links to a missing project only after a yes, and creates it', async () => {
  const { run, read, has } = await createHome();
  const declined = await run(['link', 'startup-x'], { input: 'n\n' });
  expect(declined).toMatchObject({
    code: 2,
    out: 'There is no project startup-x in vault/projects. Create it? [y/N] ',
    err: expect.stringContaining('create it with: keepsake link startup-x --create'),
  });
  expect(has('vault/projects/startup-x')).toBe(false);
  const agreed = await run(['link', 'startup-x'], { input: 'oui\n', language: 'fr' });
  expect(agreed).toMatchObject({ code: 0 });
  expect(agreed.out).toContain('Le créer ? [o/N] created vault/projects/startup-x/description.md\n');
  expect(read('vault/projects/startup-x/description.md')).toMatch(
    /# startup-x\n\nRepository: github\.com\/ada\/startup-x\n$/,
  );
  expect((await run(['link'])).out).toContain('is linked to startup-x (github.com/ada/startup-x)');
});

it('asks nothing without a terminal, at the end of the input, or with --create', async () => {
  const { run, has } = await createHome();
  expect(await run(['link', 'a'])).toMatchObject({ code: 2, out: '' });
  expect(await run(['link', 'a'], { input: '' })).toMatchObject({ code: 2 });
  expect(has('vault/projects/a')).toBe(false);
  const { code, out } = await run(['link', 'a', '--create', '--json']);
  expect({ code, ...(JSON.parse(out) as object) }).toEqual({
    code: 0,
    key: 'github.com/ada/startup-x',
    project: 'a',
    created: 'vault/projects/a/description.md',
  });
  expect(JSON.parse((await run(['link', 'a', '--create', '--json'])).out)).toMatchObject({ created: null });
  expect((await run(['history'])).out).toContain('created project a');
});

it.each(['a/b', '..', '.hidden', 'con', 'a:b'])('refuses %j as the name of a project', async (name) => {
  const { run } = await createHome();
  expect(await run(['link', name, '--create'])).toMatchObject({
    code: 2,
    err: expect.stringContaining(`${name} cannot be the name of a project`),
  });
});
