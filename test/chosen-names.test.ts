import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagnose, readEnvironment } from '../packages/vault/src/app/index.ts';
import { parseExclusion } from '../packages/vault/src/app/exclusion.ts';
import { mergeVersions, mergeConflictCopy } from '../packages/vault/src/changes/index.ts';
import { childPath, initVault, resolveRoot, rootPath } from '../packages/vault/src/vault/index.ts';
import { importVault } from './import/import-vault.ts';
import { roomVault } from './room-vault.ts';
import { createMachines } from './sync/machines.ts';
import { layOut, temporaryFolder, temporaryVault } from './temporary-vault.ts';
import type { Files } from './temporary-vault.ts';

const names = { overview: 'Home.md', changelog: 'Log.md', tasks: 'TODO.md', projects: '1 Projects' };
const identity = (layout: object = names): Files => ({
  '.keepsake/vault.json': `${JSON.stringify({ id: 'a-vault-of-its-own', version: 1, upkeep: { frontmatter: 'own' }, layout })}\n`,
});
const log = '# 2025-07-13\n\n## Boiler\nIt leaks.\n';
const notes: Files = {
  'Home.md': '# Home\n\nThe map of zebras.\n',
  'Log.md': log,
  'TODO.md': '# Call Ada\nstatus: to-do\n',
  '1 Projects/garden/Log.md': '# 2025-07-14\n\n## Zebra grass planted\n\n# 2025-07-15\n\n## Watered\n',
};

describe('a vault with custom names', () => {
  it('protects its required files from being deleted or moved, but not files with the default names', async () => {
    const vault = await roomVault({ ...identity(), ...notes, 'overview.md': 'x\n' });
    for (const path of ['Home.md', 'log.md', 'TODO.md', '1 Projects/'])
      expect(await vault.text('delete', { path })).toContain('required by every vault');
    expect(await vault.text('move', { from: 'Log.md', to: 'Old.md' })).toContain('required by every vault');
    expect(await vault.text('delete', { path: 'overview.md' })).toBe('deleted vault/overview.md');
  });

  it('adds an entry under the top day of its changelog', async () => {
    const vault = await roomVault({ ...identity(), ...notes });
    await vault.callTool({
      tool: 'append',
      input: { path: 'Log.md', content: '# 2025-07-13\n\n## Plumber called', position: 'top' },
      reader: 'model',
      origin: 'test',
    });
    expect(readFileSync(join(vault.folder, 'Log.md'), 'utf8')).toBe(
      '# 2025-07-13\n\n## Plumber called\n\n## Boiler\nIt leaks.\n',
    );
  });

  it('keeps both of two concurrent entries at the top of its changelog', async () => {
    const vault = await roomVault({ ...identity(), ...notes });
    const run = vault.writeRun('person');
    const [path, before] = [childPath(rootPath, 'Log.md'), Buffer.from(log)];
    run.transaction.write(path, before, Buffer.from(`# 2025-07-14\n\n## Mine\n\n${log}`));
    writeFileSync(join(vault.folder, 'Log.md'), `# 2025-07-14\n\n## Theirs\n\n${log}`);
    expect(await run.transaction.commit({ origin: 'test', summary: 'x' })).toMatchObject({ kind: 'written' });
    expect(readFileSync(join(vault.folder, 'Log.md'), 'utf8').match(/^## .*/gm)).toEqual([
      '## Mine',
      '## Theirs',
      '## Boiler',
    ]);
  });

  it('is searched without its overview, and with entries dated by their day', async () => {
    const vault = await roomVault({ ...identity(), ...notes, 'overview.md': 'No zebra here.\n' });
    const found = await vault.readRun('model').search({ queries: ['zebra'], mode: 'fast' });
    expect(found.kind === 'found' && found.passages.map(({ path, headings }) => [path, ...headings])).toEqual(
      expect.arrayContaining([
        ['vault/1 Projects/garden/Log.md', '2025-07-14', 'Zebra grass planted'],
        ['vault/overview.md'],
      ]),
    );
    expect(found.kind === 'found' && found.passages).toHaveLength(2);
    const later = await vault
      .readRun('model')
      .search({ queries: ['zebra', 'watered'], mode: 'fast', dateFrom: '2025-07-15', dateTo: '2025-07-15' });
    expect(later.kind === 'found' && later.passages.map(({ bestLine }) => bestLine)).toEqual([7]);
  });

  it('uses changed names in the next search, without a restart', async () => {
    const vault = await roomVault({ ...identity({}), ...notes });
    const places = async (): Promise<string[]> => {
      const found = await vault.readRun('model').search({ queries: ['zebra'], mode: 'fast' });
      return found.kind === 'found' ? found.passages.map(({ path }) => path).toSorted() : [];
    };
    expect(await places()).toEqual(['vault/1 Projects/garden/Log.md', 'vault/Home.md']);
    layOut(vault.folder, identity());
    expect(await places()).toEqual(['vault/1 Projects/garden/Log.md']);
    layOut(vault.folder, identity({}));
    expect(await places()).toContain('vault/Home.md');
  });

  it('merges versions of two machines by their entries and tasks', async () => {
    const vault = await roomVault({ ...identity(), ...notes });
    const layout = vault.view.layout();
    const day = (...entries: string[]): string =>
      ['# 2025-07-14', ...entries.map((each) => `## ${each}`)].join('\n\n').concat('\n');
    const [a, b] = [day('Call\nWith Ada.', 'Old'), day('Call\nWith Bob.', 'Old')];
    const both = '# 2025-07-14\n\n## Call\nWith Ada.\n\n## Call\nWith Bob.\n\n## Old\n';
    expect(mergeVersions(layout.changelogPath, day('Old'), a, b, layout)).toBe(both);
    const tasks = childPath(childPath(layout.projectsPath, 'garden'), 'TODO.md');
    const [one, other] = ['# Mow\n\n# Dig\n', '# Mow\nstatus: done\n'];
    expect(mergeVersions(tasks, '# Mow\n', one, other, layout)).toBe('# Mow\nstatus: done\n\n# Dig\n');
    const copy = 'Log.sync-conflict-20260714-183000-ABCDEFG.md';
    layOut(vault.folder, { 'Log.md': day('At ten', 'Old'), [copy]: day('At noon', 'Old') });
    await mergeConflictCopy(
      {
        root: resolveRoot(vault.folder),
        writer: vault.changes.writer,
        fileVersions: async () => [{ text: day('Old'), isOwnWrite: true, at: 0 }],
        changesOf: () => [],
        language: 'en',
        isHidden: () => false,
      },
      { path: childPath(rootPath, copy), original: layout.changelogPath, isCertain: true },
    );
    expect(readFileSync(join(vault.folder, 'Log.md'), 'utf8')).toBe(day('At ten', 'At noon', 'Old'));
  });

  it('writes questions about conflict copies to its inbox, hidden from AI if the note is', async () => {
    const copy = 'Plan.sync-conflict-20260714-183000-ABCDEFG.md';
    for (const isHidden of [false, true]) {
      const vault = await roomVault({ ...identity({ inbox: '00 Inbox' }), 'Plan.md': 'one\n', [copy]: '' });
      await mergeConflictCopy(
        {
          root: resolveRoot(vault.folder),
          writer: vault.changes.writer,
          fileVersions: async () => [],
          changesOf: () => [],
          language: 'en',
          isHidden: () => isHidden,
        },
        { path: childPath(rootPath, copy), original: childPath(rootPath, 'Plan.md'), isCertain: true },
      );
      const [item = ''] = readdirSync(join(vault.folder, '00 Inbox'));
      expect(readdirSync(join(vault.folder, '00 Inbox', item))).toEqual(['review.md']);
      const path = childPath(childPath(childPath(rootPath, '00 Inbox'), item), 'review.md');
      expect(parseExclusion([])(path)).toBe(isHidden);
    }
  });

  it('merges a log in another format without losing a line', async () => {
    const { view } = await roomVault(identity());
    const layout = view.layout();
    const own = '# Log\n\n- 13 July: the boiler leaks\n- 12 July: bread\n';
    const ours = `# 2025-07-14\n\n## Filed\n\n${own}`;
    const theirs = own.replace('- 13', '- 14 July: rain\n- 13');
    expect(mergeVersions(layout.changelogPath, own, ours, theirs, layout)).toBe(
      `# 2025-07-14\n\n## Filed\n\n${theirs}`,
    );
  });

  it('passes its names to a joining machine, and merges a changelog entry by entry if both machines change it', async () => {
    const { machine } = createMachines();
    const first = await machine('first', { ...identity(), ...notes });
    await first.sync();
    const second = await machine('second');
    await second.sync();
    expect(second.keepsake.layout().names).toEqual({ ...names, people: 'people', inbox: 'inbox' });
    first.put({ 'Log.md': `# 2025-07-14\n\n## Call\nWith Ada.\n\n${log}` });
    second.put({ 'Log.md': `# 2025-07-14\n\n## Call\nWith Bob.\n\n${log}` });
    await first.sync();
    await second.sync();
    expect(second.read('Log.md')).toBe(`# 2025-07-14\n\n## Call\nWith Ada.\n\n## Call\nWith Bob.\n\n${log}`);
  });
});

describe('invalid custom names received by a sync', () => {
  const hostile = { changelog: '../../outside.md', projects: 'inbox' };

  it('do not prevent reading files with the default names, and are reported by doctor', async () => {
    const vault = await temporaryVault({ ...identity(hostile), 'overview.md': 'The map.\n' });
    expect(await vault.text('read', { paths: 'overview.md' })).toContain('The map.');
    expect(vault.keepsake.layout()).toMatchObject({ problem: expect.stringContaining('../../outside.md') });
    expect(await vault.text('delete', { path: 'overview.md' })).toContain('required by every vault');
    const checks = await diagnose({
      vault: vault.folder,
      state: vault.state,
      environment: readEnvironment({ PATH: process.env['PATH'] }),
    });
    expect(checks.find(({ name }) => name === 'initialized')).toMatchObject({
      status: 'warning',
      message: expect.stringContaining(
        'changelog "../../outside.md": it must be a name at the top of the vault',
      ),
      hint: expect.stringContaining('keepsake init'),
    });
  });

  it('are fixed by choosing other names', () => {
    const folder = temporaryFolder();
    layOut(folder, identity(hostile));
    const made = initVault(folder, { ...asked(folder), names: { changelog: 'Log.md' } });
    expect(made).toMatchObject({ outcome: 'already', names: { changelog: 'Log.md' } });
    expect(stored(folder)).toEqual({
      id: 'a-vault-of-its-own',
      version: 1,
      upkeep: { frontmatter: 'own' },
      layout: { changelog: 'Log.md' },
    });
  });
});

describe('init', () => {
  it('suggests files of an adopted folder as custom names, but chooses none by itself', () => {
    const folder = temporaryFolder();
    layOut(folder, { ...notes, 'Recipes.md': 'x\n' });
    expect(initVault(folder, asked(folder))).toMatchObject({
      outcome: 'adopted',
      names: {},
      suggestedNames: names,
    });
    expect(stored(folder)).toEqual({ id: expect.any(String), version: 1, upkeep: { frontmatter: 'own' } });
    expect(initVault(folder, { ...asked(folder), names })).toMatchObject({
      outcome: 'already',
      names,
      suggestedNames: {},
    });
    expect(stored(folder)).toMatchObject({ upkeep: { frontmatter: 'own' }, layout: names });
    expect(readdirSync(join(folder, '.keepsake'))).toEqual(['vault.json']);
  });

  it('accepts custom names on adoption, and can reset them to the defaults later', () => {
    const folder = temporaryFolder();
    layOut(folder, notes);
    initVault(folder, { ...asked(folder), names: { changelog: 'Log.md', tasks: 'TODO.md' } });
    initVault(folder, { ...asked(folder), names: { changelog: 'changelog.md' } });
    expect(stored(folder)).toMatchObject({ layout: { tasks: 'TODO.md' } });
    initVault(folder, { ...asked(folder), names: { tasks: 'tasks.md' } });
    expect(stored(folder)).not.toHaveProperty('layout');
  });

  it('creates a new vault with custom names', () => {
    const folder = join(temporaryFolder(), 'new');
    initVault(folder, { ...asked(folder), names: { ...names, inbox: '00 Inbox' } });
    expect(readdirSync(folder).toSorted()).toEqual(
      ['.keepsake', '00 Inbox', 'bucket', 'profile.md', ...Object.values(names)].toSorted(),
    );
  });

  it('rejects an invalid name, and changes nothing', () => {
    const folder = temporaryFolder();
    layOut(folder, { ...identity(), ...notes });
    const before = readFileSync(join(folder, '.keepsake/vault.json'), 'utf8');
    expect(() => initVault(folder, { ...asked(folder), names: { tasks: 'Log.md' } })).toThrow(
      'this name is used twice',
    );
    expect(() => initVault(folder, { ...asked(folder), names: { tasks: 'inbox/x.md' } })).toThrow(
      'without folders',
    );
    expect(readFileSync(join(folder, '.keepsake/vault.json'), 'utf8')).toBe(before);
  });
});

it('an import goes into a project of the projects folder with a custom name', async () => {
  const { run, folder } = await importVault({ 'a.md': 'A contract.\n' }, { ...identity(), ...notes });
  expect((await run({ into: '1 Projects/garden' })).into).toBe('vault/1 Projects/garden/bucket/notes');
  expect(readdirSync(join(folder, '1 Projects/garden/bucket/notes'))).toEqual(['a.md']);
  await expect(run({ into: 'projects/garden' })).rejects.toThrow('is not a bucket');
});

const asked = (folder: string) => ({
  language: 'en' as const,
  isHidden: () => false,
  home: join(folder, '..', 'home'),
  clock: Date.now,
});
const stored = (folder: string): unknown =>
  JSON.parse(readFileSync(join(folder, '.keepsake/vault.json'), 'utf8'));
