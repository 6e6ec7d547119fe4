import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { readEnvironment } from '../../packages/vault/src/app/index.ts';
import { createBriefForFolder } from '../../packages/vault/src/cli/brief.ts';
import { readPlace, resolveProjectLink } from '../../packages/vault/src/hook/index.ts';
import { runCommand } from '../run-command.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';

type Home = {
  home: string;
  read: (path: string) => string;
  has: (path: string) => boolean;
  run: (
    args: string[],
    options?: { input?: string; language?: string; folder?: string },
  ) => Promise<{ code: number; out: string; err: string }>;
};

async function createHome(): Promise<Home> {
  const home = temporaryFolder();
  layOut(home, {
    'code/.git/HEAD': 'ref: refs/heads/main\n',
    'code/.git/config': '[remote "origin"]\n\turl = git@github.com:ada/startup-x.git\n',
    // A repository without a remote, and a worktree of it.
    'shop/.git/HEAD': 'ref: refs/heads/main\n',
    'shop/.git/worktrees/fix/HEAD': 'ref: refs/heads/fix\n',
    'shop/.git/worktrees/fix/commondir': '../..\n',
    'fix/.git': `gitdir: ${join(home, 'shop/.git/worktrees/fix')}\n`,
  });
  const run: Home['run'] = (args, { input, language = 'en', folder = 'code' } = {}) =>
    runCommand(args, {
      cwd: join(home, folder),
      variables: { HOME: home, KEEPSAKE_VAULT: join(home, 'vault'), LANG: `${language}_XX.UTF-8` },
      ...(input !== undefined && { input, isTerminal: true }),
    });
  await run(['init', join(home, 'vault')]);
  return {
    home,
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
    err: expect.stringMatching(/create it with: keepsake\s+link startup-x --create/),
  });
  expect(has('vault/projects/startup-x')).toBe(false);
  await run(['init', '--language', 'fr']);
  const agreed = await run(['link', 'startup-x'], { input: 'oui\n' });
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

it('links a repository without a remote in a worktree, and excludes it there', async () => {
  const { home, run } = await createHome();
  const linked = await run(['link', 'shop', '--create'], { folder: 'fix' });
  expect(linked.out).toContain(`${join(home, 'shop')} is linked to shop\n`);
  expect((await run(['link'], { folder: 'shop' })).out).toContain('is linked to shop');
  await run(['link', '--none'], { folder: 'fix' });
  for (const folder of ['shop', 'fix']) {
    expect((await run(['link'], { folder })).out).toContain('is excluded: no project, brief or recording');
    expect((await run(['brief'], { folder })).err).toContain('sessions in this folder are excluded');
  }
  await run(['link', '--remove'], { folder: 'fix' });
  expect((await run(['link'], { folder: 'shop' })).out).toContain('is not linked');
});

it('gives a repository a brief without a link, which says that its sessions are not recorded and tells the user once', async () => {
  const { home, run } = await createHome();
  const settings = { vault: join(home, 'vault'), capture: 'linked', unattended: true, links: {} };
  const start = async (folder: string): Promise<{ systemMessage?: string; text: string }> => {
    layOut(home, { '.config/keepsake/sessions.json': JSON.stringify(settings) });
    const place = readPlace(join(home, folder));
    const brief = await createBriefForFolder(
      { environment: readEnvironment({ HOME: home }, () => home), stderr: new PassThrough() },
      { vault: settings.vault },
      { place, session: 's1', source: 'startup', linked: resolveProjectLink(place, settings.links) },
    );
    return { text: brief?.text ?? '', ...(brief?.message != null && { systemMessage: brief.message }) };
  };
  const command = 'keepsake link shop';
  expect(await start('fix')).toEqual({
    systemMessage: `Keepsake: shop; sessions here are not recorded; record them with: ${command}`,
    text: expect.stringContaining(
      `the repository shop, which has no project. Its sessions are not recorded (the user can change that with: ${command}).`,
    ),
  });
  for (const folder of ['shop', 'fix']) expect((await start(folder)).systemMessage).toBeUndefined();
  for (const capture of ['everywhere', 'never']) {
    settings.capture = capture;
    expect((await start('code')).text).not.toContain('not recorded');
  }
  settings.capture = 'linked';
  await run(['link', 'other', '--create'], { folder: 'shop' });
  expect((await start('code')).systemMessage).toContain('keepsake link startup-x');
});
