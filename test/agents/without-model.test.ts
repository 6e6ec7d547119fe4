import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startScriptedModel } from '../scripted-model/server.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import { agentVault, anInput } from './agent-vault.ts';
import type { AgentVault } from './agent-vault.ts';
import { keepsake } from './command-line.ts';

const listBucket = ({ folder }: AgentVault, bucket = 'bucket'): string[] => readdirSync(join(folder, bucket));

describe('a note saved without a model', () => {
  it('is in the bucket at once, named after its first line, with its files next to it, and can be undone', async () => {
    const vault = await agentVault({}, { model: null });
    const table = join(temporaryFolder(), 'valves.csv');
    writeFileSync(table, `valve,state\n${'cellar,stuck\n'.repeat(10_000)}`);
    const added = await keepsake(vault, [
      'add',
      '--as-note',
      'Heating check\nThe cellar valve is stuck.',
      table,
    ]);
    expect(added).toMatchObject({ code: 0 });
    const names = listBucket(vault);
    const note = names.find((name) => /^\d{4}-\d{2}-\d{2}-heating-check-[0-9a-f]{4}\.md$/.test(name));
    expect(vault.text(`bucket/${note}`)).toMatch(/\n\nHeating check\nThe cellar valve is stuck\.\n$/);
    expect(names).toEqual(expect.arrayContaining([note, 'valves.csv', 'valves.md']));
    expect(added.stdout).toContain(`vault/bucket/${note}`);
    // The queue keeps no copy.
    expect(vault.keepsake.agents.updates.size()).toBeLessThan(10_000);
    const id = /accepted (\S+)/.exec(added.stderr)?.[1] ?? '';
    expect(await keepsake(vault, ['undo', id])).toMatchObject({ code: 0 });
    expect(listBucket(vault)).toEqual([]);
  });

  it('goes to the bucket of a project, and reports the projects if it does not exist', async () => {
    const vault = await agentVault({ 'projects/house/state.md': '# House\n' }, { model: null });
    const done = await keepsake(vault, ['add', '--as-note', 'The valve is stuck', '--project', 'house']);
    expect(done).toMatchObject({ code: 0 });
    expect(listBucket(vault, 'projects/house/bucket')).toHaveLength(1);
    const wrong = await keepsake(vault, ['add', '--as-note', 'The roof leaks', '--project', 'huose']);
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toBe('error: no project huose; the projects are: house\n');
    expect(vault.keepsake.agents.updates.list({ limit: 10 })).toHaveLength(1);
    expect(listBucket(vault)).toEqual([]);
    const alone = await keepsake(vault, ['add', 'The roof leaks', '--project', 'house']);
    expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining('--project needs --as-note') });
  });

  it('does not wait for earlier updates that need a model', async () => {
    const vault = await agentVault({}, { model: null });
    const first = await vault.keepsake.accept(anInput({ text: 'We drop the API.' }));
    const second = await vault.keepsake.accept(anInput({ text: 'The valve is stuck.', asNote: true }));
    const { updates } = vault.keepsake.agents;
    expect(updates.find(first.id)?.state).toBe('waiting');
    expect(updates.find(second.id)).toMatchObject({ state: 'done', result: { kind: 'filed' } });
  });

  it('does not wait for a client that files an earlier update', async () => {
    const vault = await agentVault({}, { model: null });
    const { updates, clientRuns } = vault.keepsake.agents;
    const first = await vault.keepsake.accept(anInput({ text: 'We drop the API.' }));
    const client = { connection: 'a', name: 'a', isSession: true, isTrusted: true, assertAllowed: () => {} };
    expect(await clientRuns.next(client)).toMatchObject({ kind: 'run', update: first.id });
    const saved = await keepsake(vault, ['add', '--as-note', 'The valve is stuck.']);
    expect(saved).toMatchObject({ code: 0, stdout: expect.stringContaining('saved as a note') });
    expect(listBucket(vault)).toHaveLength(1);
    expect(updates.find(first.id)?.state).toBe('running');
    await clientRuns.end();
    expect(updates.find(first.id)?.state).toBe('waiting');
  });

  it('does not wait for the model that files an earlier update', async () => {
    const vault = await agentVault();
    const { updates } = vault.keepsake.agents;
    const isAsked = Promise.withResolvers<void>();
    vault.model.respond(() => {
      isAsked.resolve();
      return { fault: 'hang' };
    });
    const first = await vault.keepsake.accept(anInput({ text: 'We drop the API.' }));
    const runner = updates.start(() => undefined);
    onTestFinished(() => runner.stop());
    await isAsked.promise;
    const second = await vault.keepsake.accept(anInput({ text: 'The valve is stuck.', asNote: true }));
    expect(updates.find(second.id)).toMatchObject({ state: 'done', result: { kind: 'filed' } });
    expect(updates.find(first.id)?.state).toBe('running');
  });

  it('contains masks instead of secrets, and the question about them is answered without a model', async () => {
    const vault = await agentVault({}, { model: null });
    const secret = ['Tr0ub4dor', '9xq'].join('');
    await vault.keepsake.accept(anInput({ text: `Router password: ${secret}`, asNote: true }));
    const [note = ''] = listBucket(vault);
    expect(vault.text(`bucket/${note}`)).not.toContain(secret);
    const [question] = await vault.keepsake.inbox();
    if (question?.kind !== 'question') throw new Error('no question was asked');
    const answered = await keepsake(vault, ['inbox', 'answer', question.item, 'keep']);
    expect(answered).toMatchObject({ code: 0 });
    expect(answered.stderr).not.toContain('kept in the queue');
    expect(vault.text(`bucket/${note}`)).toContain(secret);
    expect(await vault.keepsake.inbox()).toEqual([]);
  });

  it('may be saved by the user where it is hidden from AI, but not by a client', async () => {
    const vault = await agentVault(
      { 'projects/house/state.md': '# House\n' },
      { model: null, configuration: 'agents:\n  exclude: [projects/house/]\n' },
    );
    const note = { text: 'The valve is stuck.', asNote: true, project: 'house' };
    const { updates } = vault.keepsake.agents;
    for (const kind of ['other', 'person'] as const) {
      const source = { kind, name: 'a client' };
      await expect(vault.keepsake.restricted.accept(anInput({ ...note, source }))).rejects.toThrow(
        'no project house; the projects are: none',
      );
    }
    const { id } = await vault.keepsake.accept(anInput(note));
    expect(updates.find(id)).toMatchObject({ state: 'done' });
    expect(JSON.stringify(vault.keepsake.restricted.agents.updates.find(id))).not.toContain('valve');
  });
});

describe('an inbox question without a model', () => {
  const item = '2026-11-14-call';
  const files = {
    [`inbox/${item}/review.md`]: 'Which project?\n',
    [`inbox/${item}/original.md`]: '---\nsource: "mail"\n---\n\nThe valve is stuck.\n',
  };

  it('does not exist for a client if it is hidden from AI', async () => {
    const vault = await agentVault(files, {
      model: null,
      configuration: `agents:\n  exclude: [inbox/${item}/]\n`,
    });
    const { updates } = vault.keepsake.agents;
    const reasons = [];
    for (const inboxRef of [item, '2026-11-14-none']) {
      const source = { kind: 'other' as const, name: 'a client' };
      const { id } = await vault.keepsake.restricted.accept(
        anInput({ text: 'drop', choice: 'drop', inboxRef, source }),
      );
      reasons.push(updates.find(id)?.reason?.code);
    }
    expect(reasons).toEqual(['no-item', 'no-item']);
    expect(vault.text(`inbox/${item}/review.md`)).toBe('Which project?\n');
  });

  it('is answered by keeping the text as a note', async () => {
    const vault = await agentVault(files, { model: null });
    const done = await keepsake(vault, ['inbox', 'answer', item, '--note']);
    expect(done).toMatchObject({ code: 0 });
    expect(vault.text(`bucket/${item}.md`)).toContain('The valve is stuck.');
    expect(await vault.keepsake.inbox()).toEqual([]);
  });

  it('is answered by dropping it, which can be undone', async () => {
    const vault = await agentVault(files, { model: null });
    const done = await keepsake(vault, ['inbox', 'answer', item, '--drop']);
    expect(done).toMatchObject({ code: 0 });
    expect([vault.text(`inbox/${item}/original.md`), ...listBucket(vault)]).toEqual([null]);
    const [change] = vault.keepsake.changes.list({ limit: 1 });
    await vault.keepsake.changes.undo(change?.id ?? '');
    expect(vault.text(`inbox/${item}/original.md`)).toContain('The valve is stuck.');
  });

  it('is answered with a letter on a terminal, and with a flag elsewhere', async () => {
    const vault = await agentVault(files, { model: null });
    const piped = await keepsake(vault, ['inbox', 'answer', item]);
    expect(piped).toMatchObject({ code: 2, stderr: expect.stringContaining('one of --note, --drop') });
    const typed = await keepsake(vault, ['inbox', 'answer', item], { input: 'n\n', isTerminal: true });
    expect(typed).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('n = keep it as a note, d = drop it'),
    });
    expect(vault.text(`bucket/${item}.md`)).toContain('The valve is stuck.');
    const listed = await keepsake(vault, ['inbox']);
    expect(listed.stdout).toBe('the inbox is empty\n');
  });
});

describe('an answer in words without a model', () => {
  it('is shown with its inbox item until it is filed, and the choices are named instead of a note', async () => {
    const item = '2026-11-14-call';
    const vault = await agentVault({ [`inbox/${item}/review.md`]: 'Which project?\n' }, { model: null });
    const answered = await keepsake(vault, ['inbox', 'answer', item, 'It belongs to house.']);
    expect(answered).toMatchObject({ code: 0, stdout: expect.stringMatching(/^accepted /) });
    expect(answered.stderr).toContain('without a model: answer with a choice that keepsake inbox shows, or ');
    const listed = await keepsake(vault, ['inbox']);
    expect(listed.stdout).toContain('\n  answered, waits to be filed: It belongs to house.\n');
  });
});

describe('an answer in words to an item that the user has settled since', () => {
  it('is kept, but clients are not asked to file it', async () => {
    const item = '2026-11-14-call';
    const vault = await agentVault({ [`inbox/${item}/review.md`]: 'Which project?\n' }, { model: null });
    const { updates, clientRuns } = vault.keepsake.agents;
    const { id } = await vault.keepsake.accept(anInput({ text: 'It belongs to house.', inboxRef: item }));
    await keepsake(vault, ['inbox', 'answer', item, '--drop']);
    const client = { connection: 'a', name: 'a', isSession: true, isTrusted: true, assertAllowed: () => {} };
    await clientRuns.next(client);
    expect(updates.find(id)).toMatchObject({ state: 'parked', reason: { code: 'no-item' } });
    expect(clientRuns.count()).toBe(0);
    expect(await clientRuns.next(client)).toMatchObject({ kind: 'nothing' });
  });
});

describe('keepsake ask without a model', () => {
  const heating = '# Heating\n\nThe cellar valve is stuck.\n';

  it('says that updates which are not filed yet were not searched', async () => {
    const vault = await agentVault({}, { model: null });
    await vault.keepsake.accept(anInput({ text: 'The valve is stuck.' }));
    const asked = await keepsake(vault, ['ask', 'which', 'valve', 'is', 'stuck?']);
    expect(asked.stderr).toBe('1 update not filed yet and not searched; see: keepsake updates\n');
    expect(asked.stdout).toMatch(
      /^No AI model is set up, and a search for the words of the question found nothing\. For an answer, /,
    );
  });

  it('says of passages that fit too little that they are the nearest, not that the vault has nothing', async () => {
    const vault = await agentVault({ 'bucket/heating.md': heating }, { model: null });
    const asked = await keepsake(vault, ['ask', 'who', 'painted', 'the', 'stuck', 'ceiling', 'in', 'Rome?']);
    expect(asked).toMatchObject({ code: 0, stderr: '' });
    expect(asked.stdout).toMatch(
      /^No AI model is set up, and no passage matches the question well; the nearest follow\. For an answer, /,
    );
    expect(asked.stdout).toContain('The cellar valve is stuck.');
  });

  it('shows what search finds, and says in one line how to get an answer', async () => {
    const vault = await agentVault(
      { 'bucket/heating.md': '# Heating\n\nThe cellar valve is stuck.\n' },
      { model: null },
    );
    const asked = await keepsake(vault, ['ask', 'which', 'valve', 'is', 'stuck?']);
    expect(asked).toMatchObject({ code: 0 });
    const [first] = asked.stdout.split('\n');
    expect(first).toContain('No AI model is set up, so these are the keyword matches.');
    expect(first).toContain('keepsake config model');
    expect(asked.stdout).toContain('The cellar valve is stuck.');
  });
});

describe('a model that does not answer', () => {
  const unreachable = async (files = {}): Promise<AgentVault> => {
    const gone = await startScriptedModel();
    await gone.close();
    return agentVault(files, { variables: () => ({ KEEPSAKE_MODEL_BASE_URL: gone.baseUrl }) });
  };

  it('leaves ask with its error and the keyword matches', async () => {
    const vault = await unreachable({ 'bucket/heating.md': '# Heating\n\nThe cellar valve is stuck.\n' });
    await vault.keepsake.accept(anInput({ text: 'The roof leaks.' }));
    const asked = await keepsake(vault, ['ask', 'which', 'valve', 'is', 'stuck?']);
    expect(asked.code).toBe(1);
    expect(asked.stderr).toMatch(/^error: .*check that the server is running/m);
    expect(asked.stderr).toContain('1 update not filed yet and not searched; see: keepsake updates\n');
    expect(asked.stdout).toContain('The AI model did not answer, so these are the keyword matches.');
    expect(asked.stdout).toContain('The cellar valve is stuck.');
  });

  it('leaves find with what is not searched', async () => {
    const vault = await unreachable({ 'bucket/heating.md': '# Heating\n\nThe cellar valve is stuck.\n' });
    await vault.keepsake.accept(anInput({ text: 'The roof leaks.' }));
    const found = await keepsake(vault, ['find', 'valve']);
    expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining('valve is stuck') });
    expect(found.stderr).toContain('1 update not filed yet and not searched; see: keepsake updates\n');
  });

  it('leaves add with a saved note, and says what happens next', async () => {
    const vault = await unreachable();
    const added = await keepsake(vault, ['add', 'The roof leaks.']);
    expect(added.stderr).toBe('saved in the queue; file it with: keepsake updates run\n');
    const waited = await keepsake(await unreachable(), ['add', 'The gate rusts.', '--wait']);
    expect(waited.code).toBe(1);
    expect(waited.stderr).toContain('saved in the queue; file it with: keepsake updates run\n');
    expect(waited.stderr).toContain('tell a connected AI tool to "file what waits"');
  });
});
