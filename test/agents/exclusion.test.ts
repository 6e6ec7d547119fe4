import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Call, SeenRequest } from '../scripted-model/server.ts';
import { startScriptedModels } from '../local-models/server.ts';
import { agentVault, anEntry, looking } from './agent-vault.ts';
import type { AgentVault } from './agent-vault.ts';

/** Occurs in the excluded files and nowhere else. */
const canary = 'zanzibarquokka';
/** Part of the name of every excluded file; no call of the tests spells it exactly like this. */
const hidden = 'nightjar';
const configuration = "agents:\n  exclude: ['private/**', 'projects/secret/']\n";

const secrets = {
  'private/nightjar.md': `# Diary\nThe word is ${canary}.\nSee [[state]] and [state](../projects/open/state.md).\n`,
  'private/deep/nightjar-two.md': `${canary}\n`,
  'private/plain.md': `${canary}\n`,
  'projects/secret/state.md': `## Status\n${canary}\n`,
  'projects/secret/changelog.md': `# 2025-07-02\n\n## ${canary}\nreplaces: projects/open/changelog.md § Began\n`,
  'projects/secret/nightjar-log.md': `# 2025-07-01\n\n## ${canary}\nText.\n`,
};
const files = {
  ...secrets,
  'tree.md': 'vault/private/nightjar.md\n',
  'projects/open/state.md': '## Status\nThe open project is active.\n',
  'projects/open/changelog.md': '# 2025-06-01\n\n## Began\nThe first day.\n',
  'bucket/note.md': 'A note about the open project.\n',
};

const call = (tool: string, input: object): Call => ({ tool, input });
const each = (make: (path: string) => Call[]): Call[] => places.flatMap(make);
/** Excluded paths as a model may name them: guessed, in another case, with detours. */
const places = [
  'private/',
  'vault/private',
  'private/plain.md',
  'private/Nightjar.md',
  'private/NIGHTJAR.md',
  'Private/Nightjar.md',
  'PRIVATE/deep/',
  'private//deep/./Nightjar-two.md',
  'private/Nightjar',
  'projects/secret',
  'projects/secret/',
  'projects/secret/state.md',
  'Projects/Secret/State.md',
  'vault/projects/SECRET/Nightjar-log.md',
  'projects/../private/Nightjar.md',
  'nightja.md',
  'projects/open/nightja.md',
];

const reading: Record<string, Call[]> = {
  read: each((path) => [call('read', { paths: path }), call('read', { paths: [path], head: 50 })]),
  'read, folded': each((path) => [call('read', { paths: path, folded: true })]),
  'read of folders around it': ['vault/', 'projects/', 'projects/open/'].map((paths) =>
    call('read', { paths }),
  ),
  search: [
    call('search', { queries: ['zanzibar*', 'diary', 'status'], mode: 'fast' }),
    call('search', { queries: ['zanzibar*', 'diary', 'status'], mode: 'deep' }),
    call('search', {
      queries: ['"The word is"'],
      mode: 'fast',
      scopes: ['private/', 'projects/secret/*', '**'],
    }),
    call('search', { queries: ['word'], mode: 'fast', scopes: ['Private/**', 'private/n*', '*/*/state.md'] }),
  ],
  tree: [call('tree', {}), ...each((path) => [call('tree', { path }), call('tree', { path, depth: 3 })])],
  'the generated tree': [call('read', { paths: ['tree.md', 'Tree.md'] })],
};
const assembling: Record<string, Call[]> = {
  concat: each((path) => [call('concat', { files: [{ path }, { path, lines: '1-3' }] })]),
};
const writing: Record<string, Call[]> = {
  edit: each((path) => [call('edit', { path, old: '1  | # Diary', new: 'x' })]),
  append: each((path) => [call('append', { path, content: 'x', position: 'bottom' })]),
  write: each((path) => [call('write', { path, content: 'x' })]),
  'write beside it': [call('write', { path: 'private/new.md', content: 'x' })],
  'move out of it': each((path) => [call('move', { from: path, to: 'bucket/out.md' })]),
  'move into it': each((path) => [call('move', { from: 'bucket/note.md', to: path })]).slice(0, 14),
  'move of what it links to': [call('move', { from: 'projects/open/state.md', to: 'bucket/moved.md' })],
  delete: each((path) => [call('delete', { path })]),
};

/** The content sent to the model, without its own messages, which are part of every request. */
function sent({ system, userTexts, toolResults }: SeenRequest): string {
  return [system, ...userTexts, ...toolResults.map(({ text }) => text)].join('\n');
}

function expectUnseen({ model }: AgentVault): void {
  expect(model.requests.length).toBeGreaterThan(0);
  expect(model.requests.filter(({ rawBody }) => rawBody.includes(canary))).toEqual([]);
  for (const request of model.requests) expect(sent(request)).not.toContain(hidden);
}

function expectUntouched({ text, folder }: AgentVault): void {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
  const excluded = paths.filter((path) => /^(private|projects\/secret)\//i.test(path));
  expect(excluded.toSorted()).toEqual(Object.keys(secrets).toSorted());
  for (const [path, content] of Object.entries(secrets)) expect(text(path)).toBe(content);
}

describe('excluded files', () => {
  const readAll = { 'every tool that reads': Object.values(reading).flat() };

  it.each(Object.entries({ ...readAll, ...writing }))(
    'reach no model in an update that calls %s',
    async (_name, calls) => {
      const vault = await agentVault(files, { configuration });
      vault.model.script({ calls }, anEntry('Looked into everything'));
      vault.model.respond(() => ({ text: 'Filed.' }));
      const update = await vault.file({ text: 'Look into everything.' });
      expect(update.state).toBe('done');
      expect(vault.model.requests.at(-1)?.toolResults.length).toBe(calls.length + 1);
      expectUnseen(vault);
      expectUntouched(vault);
    },
  );

  it.each(Object.entries({ ...readAll, ...assembling }))(
    'reach no model in a question that calls %s',
    async (_name, calls) => {
      const vault = await agentVault(files, { configuration });
      vault.model.script({ calls }, looking);
      vault.model.respond(() => ({ text: 'Nothing is there.\nI looked everywhere.' }));
      const { blocks, document } = await vault.keepsake.agents.ask(
        'Where is it?',
        new AbortController().signal,
      );
      expect(blocks).toEqual([]);
      expect(document).not.toContain(canary);
      expectUnseen(vault);
    },
  );

  it('reach no model even if a changelog entry in one of them replaces an entry that is not excluded', async () => {
    const vault = await agentVault(files, { configuration });
    const evidence = call('concat', { files: [{ path: 'projects/open/changelog.md', lines: '3-4' }] });
    vault.model.script({ calls: [call('search', { queries: ['began'], mode: 'fast' })] });
    vault.model.respond(() => ({ text: 'It began.\nThat was in June.', calls: [evidence] }));
    const { blocks } = await vault.keepsake.agents.ask('When?', new AbortController().signal);
    expect(blocks).toMatchObject([{ path: 'vault/projects/open/changelog.md', start: 3 }]);
    expect(JSON.stringify(blocks)).not.toContain(canary);
    expectUnseen(vault);
  });

  it('reach no model even if a commit conflicts with another edit', async () => {
    const vault = await agentVault(files, { configuration });
    const state = join(vault.folder, 'projects/open/state.md');
    const edit = call('edit', {
      path: 'projects/open/state.md',
      old: 'active.',
      new: 'resting.',
    });
    const again = call('append', {
      path: 'projects/open/state.md',
      content: 'It rests.',
      position: 'bottom',
    });
    vault.model.respond((_request, index) => {
      if (index === 0) return { calls: [call('read', { paths: 'projects/open/state.md' }), edit] };
      // Meanwhile the user changes the same line and adds to a private file.
      if (index === 1) {
        writeFileSync(state, readFileSync(state, 'utf8').replace('is active', 'was sold'));
        appendFileSync(join(vault.folder, 'private/nightjar.md'), `More ${canary}.\n`);
      }
      return index === 2 ? { calls: [again] } : { text: 'Filed.' };
    });
    const update = await vault.file({ text: 'The open project rests.' });
    expect(update.state).toBe('done');
    expect(vault.model.requests.some(({ userTexts }) => userTexts.at(-1)?.includes('was sold'))).toBe(true);
    expectUnseen(vault);
  });
});

describe('the models of deep search', () => {
  const deep = async (): Promise<{ vault: AgentVault; seen: () => string }> => {
    const models = await startScriptedModels();
    onTestFinished(() => models.close());
    const remote = (name: string): string => `  ${name}:\n    baseUrl: ${models.baseUrl}\n    model: test\n`;
    const search = `search:\n${['embedder', 'expander', 'reranker'].map(remote).join('')}`;
    const vault = await agentVault(files, { configuration: configuration + search });
    return { vault, seen: () => JSON.stringify(models.requests.map(({ body }) => body)) };
  };

  it("receive no excluded file through an agent's search", async () => {
    const { vault, seen } = await deep();
    vault.model.script({ calls: [call('search', { queries: ['the word', 'status'], mode: 'deep' })] });
    vault.model.respond(() => ({ text: 'Nothing is there.\nI looked everywhere.' }));
    await vault.keepsake.agents.ask('Where is it?', new AbortController().signal);
    expect(seen()).toContain('The open project is active');
    expect(seen()).not.toContain(canary);
    expectUnseen(vault);
  });

  it('receive no excluded file when the index is built', async () => {
    const { vault, seen } = await deep();
    await vault.keepsake.search.prepare('deep');
    expect(seen()).toContain('The open project is active');
    expect(seen()).not.toContain(canary);
  });
});

describe('the calls of the tests above', () => {
  it('show the files if nothing is excluded, so those tests would notice a leak', async () => {
    const vault = await agentVault(files);
    const began = call('search', { queries: ['began'], mode: 'fast' });
    const calls = [...Object.values(reading).flat(), began];
    vault.model.script({ calls }, anEntry('Looked into everything'));
    vault.model.respond(() => ({ text: 'Filed.' }));
    await vault.file({ text: 'Look into everything.' });
    const last = vault.model.requests.at(-1);
    expect(last?.rawBody).toContain(canary);
    expect(last?.rawBody).toContain('Began was replaced on 2025-07-02 by');
    for (const tool of ['read', 'search', 'tree'])
      expect(
        last?.toolResults
          .filter((result) => result.tool === tool)
          .map(({ text }) => text)
          .join('\n'),
      ).toMatch(/zanzibarquokka|nightjar/);
  });
});

describe('a file that every update may have to change', () => {
  it.each(['bucket/**', 'BUCKET/', '**', 'inbox/', 'changelog.md', '*.md'])(
    'cannot be excluded: %s',
    async (pattern) => {
      const { file, keepsake } = await agentVault(
        {},
        { configuration: `agents:\n  exclude: ['${pattern}']\n` },
      );
      await expect(file({ text: 'x' })).rejects.toThrow('which the update agent must write to');
      await expect(keepsake.agents.ask('x', new AbortController().signal)).rejects.toThrow(
        'agents.exclude covers',
      );
    },
  );
});
