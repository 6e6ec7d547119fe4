import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { httpVault } from '../http/http-vault.ts';
import type { Turn } from '../scripted-model/server.ts';
import type { Files } from '../temporary-vault.ts';
import { agentVault } from './agent-vault.ts';
import type { AgentVaultOptions } from './agent-vault.ts';

const names = { overview: 'Home.md', changelog: 'Log.md', tasks: 'TODO.md', projects: '1 Projects' };
const identity = (layout: object): Files => ({
  '.keepsake/vault.json': JSON.stringify({
    id: 'a-vault-of-its-own',
    version: 1,
    upkeep: { frontmatter: 'own' },
    layout,
  }),
});
const home = '# Home\n\nThe house and the garden.\n';
const log = '# Log\n\n- 13 July: the boiler leaks\n- 12 July: bread\n';
const files: Files = {
  ...identity(names),
  'Home.md': home,
  'Log.md': log,
  '1 Projects/garden/state.md': 'Fallow.\n',
  '1 Projects/garden/Log.md': '# 2025-07-13\n\n## Seeds bought\n',
};
const adopted: AgentVaultOptions = {
  clock: () => new Date(2025, 6, 14, 18, 30).getTime(),
  isAdopted: true,
};
const append = (path: string, title: string) => ({
  tool: 'append',
  input: { path, content: `# 2025-07-14\n\n## ${title}`, position: 'top' },
});
const usual = /\b(?:(?:overview|changelog|tasks)\.md|projects\/)/;
const done: Turn = { text: 'Summary: filed it.' };

describe('a vault with its own file names', () => {
  it('receives updates in those files, above the unchanged text, and the updates can be undone', async () => {
    const vault = await httpVault(files, adopted);
    const { model, file, text, folder, keepsake } = vault;
    model.script(
      { calls: [{ tool: 'search', input: { queries: ['garden'], mode: 'fast' } }] },
      {
        text: 'Summary: the grass is sown.',
        calls: [
          append('vault/1 Projects/garden/Log.md', 'Grass sown'),
          append('vault/Log.md', 'Garden: sown'),
        ],
      },
    );
    const { result } = await file({ text: 'I have sown the grass in the garden.' });
    expect(result).toMatchObject({ kind: 'filed' });
    expect(text('Log.md')).toBe(`# 2025-07-14\n\n## Garden: sown\n\n${log}`);
    expect(text('1 Projects/garden/Log.md')).toBe(
      '# 2025-07-14\n\n## Grass sown\n\n# 2025-07-13\n\n## Seeds bought\n',
    );
    expect(text('Home.md')).toBe(
      '# Home\n\n<!-- keepsake:status -->\n2025-07-14 · inbox: 0\n<!-- /keepsake:status -->\n\nThe house and the garden.\n',
    );
    expect(readdirSync(folder).filter((name) => usual.test(`${name}/`))).toEqual([]);
    expect(await vault.get('/status')).toMatchObject({ layout: { ...names, problem: null } });
    const [change] = keepsake.changes.list({ limit: 1 });
    expect(await keepsake.changes.undo(change?.id ?? '')).toMatchObject({ kind: 'written' });
    expect([text('Log.md'), text('Home.md')]).toEqual([log, home]);
  });

  it('gives agents only those names', async () => {
    const { model, file, keepsake } = await agentVault(files, adopted);
    const write = { tool: 'write', input: { path: 'vault/bucket/a.md', content: 'Sown.\n' } };
    model.answerRepairs();
    model.script({ calls: [write] }, { text: 'Done.' }, { calls: [append('vault/Log.md', 'Sown')] }, done);
    await file({ text: 'Sown.' });
    expect(model.requests[0]?.system).toContain('`vault/Log.md`: events and decisions');
    expect(model.requests[0]?.system).toContain('`vault/1 Projects/<name>/`: one folder per project');
    expect(model.requests[0]?.userTexts.join('\n')).toContain('```vault/Home.md\n');
    expect(model.requests[2]?.userTexts.at(-1)).toContain('exactly one entry to vault/Log.md');
    model.script(
      { calls: [{ tool: 'search', input: { queries: ['x'], mode: 'fast' } }] },
      { text: 'No.\nNothing.' },
    );
    await keepsake.agents.ask('What is sown?', AbortSignal.timeout(10_000));
    const told = model.requests.flatMap(({ system, userTexts }) => [system, ...userTexts]);
    expect(model.requests[0]?.rawBody).toContain(String.raw`Example: {\"path\": \"vault/Log.md\"`);
    expect(told.filter((words) => usual.test(words))).toEqual([]);
  });

  it('gets a changelog entry from code if the agent forgets it, in a new file if there is none', async () => {
    const { model, file, text } = await agentVault(
      { ...files, ...identity({ changelog: 'Diary.md' }) },
      adopted,
    );
    const write = { tool: 'write', input: { path: 'vault/bucket/a.md', content: 'Sown.\n' } };
    model.script({ calls: [write] }, done, done);
    await file({ text: 'Sown.' });
    expect(text('Diary.md')).toContain('# 2025-07-14\n\n## filed it.\n- vault/bucket/a.md\n');
    expect([text('Log.md'), text('changelog.md'), text('overview.md')]).toEqual([log, null, null]);
  });

  it('does not let input from others change the overview without approval, whatever its name', async () => {
    const { model, file, text } = await agentVault(files, adopted);
    const edit = {
      tool: 'edit',
      input: { path: 'vault/Home.md', old: '3 | The house and the garden.', new: 'Sold.' },
    };
    model.script({ calls: [edit, append('vault/Log.md', 'Sold')] }, done);
    const { result } = await file({ text: 'The house is sold.', source: { kind: 'other', name: 'mail' } });
    expect(result).toMatchObject({
      kind: 'held',
      reason: { text: expect.stringContaining('this changes vault/Home.md') },
    });
    expect(text('Home.md')).toBe(home);
  });
});

describe('an update', () => {
  it('is parked without a model call while the vault names files that cannot be used', async () => {
    const { model, file, text } = await agentVault(
      { ...files, ...identity({ changelog: '../x.md' }) },
      adopted,
    );
    const update = await file({ text: 'Sown.' });
    expect(update).toMatchObject({
      state: 'parked',
      reason: { text: expect.stringContaining('run keepsake doctor') },
    });
    expect(model.requests).toEqual([]);
    expect([text('changelog.md'), text('overview.md'), text('../x.md')]).toEqual([null, null, null]);
  });

  it('is parked without a model call while the changelog is hidden from AI', async () => {
    const configuration = 'agents:\n  exclude: [Log.md]\n';
    const { model, file, text } = await agentVault(files, { ...adopted, configuration });
    const update = await file({ text: 'Sown.' });
    expect(update).toMatchObject({
      state: 'parked',
      reason: { text: expect.stringContaining('vault/Log.md is hidden from AI') },
    });
    expect(model.requests).toEqual([]);
    expect(text('Log.md')).toBe(log);
  });
});
