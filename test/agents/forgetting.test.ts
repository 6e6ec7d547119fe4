import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentVault } from './agent-vault.ts';
import type { AgentVault } from './agent-vault.ts';
import { keepsake } from './command-line.ts';

const files = {
  'projects/house/state.md': '# House\n\nThe heating is new.\n\nThe code of the safe is 7431.\n',
  'people/anna.md': '# Anna\n\nAnna is expecting a child in May. Anna likes tulips.\n',
};

function propose(...phrases: string[]) {
  return { calls: [{ tool: 'propose', input: { phrases } }] };
}

/** Forgets what the plan of a held request shows; null if there is none. */
async function approve(vault: AgentVault, id: string) {
  const request = vault.keepsake.forgetRequests.find(id);
  return request === null ? null : request.run((await request.plan()).shown);
}

function everyText({ folder, text }: AgentVault): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  return names.map((name) => text(name)).join('\n');
}

describe('a request to forget', () => {
  it('is never filed: the update ends with a proposal that waits for the user', async () => {
    const vault = await agentVault(files);
    const before = everyText(vault);
    vault.model.script(
      { calls: [{ tool: 'search', input: { queries: ['Anna child'], mode: 'fast' } }] },
      propose('Anna is expecting a child in May.'),
    );
    const { id, result, decision } = await vault.file({ text: 'Forget that Anna is pregnant.' });
    expect(result).toMatchObject({
      kind: 'held',
      paths: ['vault/people/anna.md'],
      reason: { code: 'forgets-words', values: { words: 'Anna is expecting a child in May.' } },
    });
    expect(decision).toBeNull();
    expect(everyText(vault)).toBe(before);
    expect(vault.keepsake.changes.list({ limit: 10, state: 'held' })).toMatchObject([{ id, paths: [] }]);

    expect(await approve(vault, id)).toMatchObject({ remaining: [] });
    expect(vault.text('people/anna.md')).toContain('Anna likes tulips.');
    expect(everyText(vault)).not.toContain('expecting');
    expect(everyText(vault)).not.toContain('pregnant');
    expect(vault.keepsake.agents.updates.find(id)).toMatchObject({ decision: 'approved' });
    expect(await approve(vault, id)).toBeNull();
  });

  it('of the user in French proposes the words themselves, whatever the model says', async () => {
    const vault = await agentVault({ 'people/anna.md': 'Anna est malade.\n' }, { locale: 'fr_FR.UTF-8' });
    vault.model.script({ text: 'Je ne sais pas.' });
    const { result } = await vault.file({ text: 'Oublie qu’Anna est malade.' });
    expect(result).toMatchObject({
      kind: 'held',
      summary: 'Oublier définitivement, si vous confirmez',
      reason: { code: 'forgets-words', values: { words: 'Anna est malade' } },
    });
  });

  it('removes a phrase from its sentence, and shows the rest before', async () => {
    const allergy =
      '- Allergie à la pénicilline (test de 2019) et aux crustacés. Les huîtres, oui ; les crevettes, non.\n';
    const profile = `# Profil\n\n${allergy}`;
    const vault = await agentVault({ 'profile.md': profile }, { locale: 'fr_FR.UTF-8' });
    vault.model.script(propose('à la pénicilline (test de 2019) et'));
    const { id } = await vault.file({ text: 'Oublie que je suis allergique à la pénicilline.' });
    const plan = await vault.keepsake.forgetRequests.find(id)?.plan();
    const inFiles = plan?.places.filter(({ store }) => store === 'files');
    expect(inFiles).toMatchObject([
      { name: 'profile.md', passages: [{ line: 3, after: 'Allergie aux crustacés.' }] },
    ]);
    // The request goes as well.
    expect(plan?.places).toContainEqual(expect.objectContaining({ store: 'queue', name: id.slice(0, 8) }));
    expect(await approve(vault, id)).toMatchObject({ remaining: [] });
    expect(vault.text('profile.md')).toBe(
      '# Profil\n\n- Allergie aux crustacés. Les huîtres, oui ; les crevettes, non.\n',
    );
    expect(vault.keepsake.agents.updates.find(id)?.input.text).toBe('(supprimé à votre demande)');
  });

  it('removes the whole sentence if the model says so, or the user', async () => {
    const vault = await agentVault(files);
    const wholeSentence = { phrases: ['a child in May'], whole_sentences: true };
    vault.model.script({ calls: [{ tool: 'propose', input: wholeSentence }] }, propose('a child in May'));
    const first = await vault.file({ text: 'Forget that Anna is pregnant.' });
    expect(first.result).toMatchObject({ reason: { code: 'forgets-sentences' } });
    const second = await vault.file({ text: 'Forget that Anna will be a mother.' });
    const plan = await vault.keepsake.forgetRequests.find(second.id, true)?.plan();
    expect(plan?.places[0]?.passages).toMatchObject([{ after: '' }]);
    await approve(vault, first.id);
    expect(vault.text('people/anna.md')).toBe('# Anna\n\nAnna likes tulips.\n');
  });

  it('removes nothing if the text has changed since it was shown', async () => {
    const vault = await agentVault(files);
    vault.model.script(propose('a child in May'));
    const { id } = await vault.file({ text: 'Forget that Anna is pregnant.' });
    const request = vault.keepsake.forgetRequests.find(id);
    const shown = (await request?.plan())?.shown ?? '';
    const edited = '# Anna\n\nAnna is expecting a child in May and two in June.\n';
    writeFileSync(join(vault.folder, 'people/anna.md'), edited);
    await expect(request?.run(shown)).rejects.toMatchObject({ code: 'changed' });
    expect(vault.text('people/anna.md')).toBe(edited);
    expect(vault.keepsake.agents.updates.find(id)).toMatchObject({ decision: null });
  });

  it('of an earlier version still means whole sentences', async () => {
    const vault = await agentVault(files);
    vault.model.script(propose('a child in May'));
    const { id } = await vault.file({ text: 'Forget that Anna is pregnant.' });
    const { durable } = vault.keepsake.state.databases();
    const stored = durable.prepare('select result from updates where id = ?').pluck().get(id) as string;
    const earlier = stored.replace('forgets-words', 'forgets');
    durable.prepare('update updates set result = ? where id = ?').run(earlier, id);
    await approve(vault, id);
    expect(vault.text('people/anna.md')).toBe('# Anna\n\nAnna likes tulips.\n');
  });

  it('with a secret is matched by code, and the secret is neither sent to the model nor shown', async () => {
    const vault = await agentVault(files);
    vault.model.script({ text: 'I do not know.' });
    const { id, result } = await vault.file({ text: 'Forget that the code of the safe is 7431.' });
    expect(JSON.stringify([result, vault.model.requests])).not.toContain('7431');
    expect(await approve(vault, id)).toMatchObject({ remaining: [] });
    expect(everyText(vault)).not.toContain('7431');
    expect(vault.text('projects/house/state.md')).toContain('The heating is new.');
  });

  it('of a client is held, too, and changes nothing when it is rejected', async () => {
    const vault = await agentVault(files);
    const before = everyText(vault);
    vault.model.script(propose('The code of the safe is 7431.'));
    const source = { kind: 'other', name: 'an AI client' } as const;
    const { id, result } = await vault.file({ text: 'forget that the code of the safe is 7431', source });
    expect(result).toMatchObject({ kind: 'held', reason: { code: 'forgets-words' } });
    expect(await vault.keepsake.changes.reject(id)).toBe(true);
    expect(await approve(vault, id)).toBeNull();
    expect(everyText(vault)).toBe(before);
  });

  it('is proposed only in words that the vault contains', async () => {
    const vault = await agentVault(files);
    vault.model.script(propose('Anna is pregnant'), propose('expecting a child in May'));
    const { result } = await vault.file({ text: 'Forget that Anna will be a mother.' });
    expect(result).toMatchObject({ reason: { values: { words: 'expecting a child in May' } } });
    expect(vault.model.requests.length).toBe(2);
  });

  it('that finds nothing changes nothing', async () => {
    const vault = await agentVault(files);
    vault.model.script(propose());
    const { result } = await vault.file({ text: 'Forget that Bob owes me money.' });
    expect(result).toMatchObject({ kind: 'unchanged', known: [] });
  });

  it('together with other text is parked, so that neither is lost', async () => {
    const vault = await agentVault(files);
    const { state, reason } = await vault.file({ text: 'Forget that Anna is pregnant. Buy milk.' });
    expect({ state, code: reason?.code }).toEqual({ state: 'parked', code: 'forgets-and-more' });
    expect(vault.model.requests.length).toBe(0);
  });
});

describe('keepsake approve and keepsake show', () => {
  it('show everything that a request to forget removes, and approve exactly that', async () => {
    const vault = await agentVault(files);
    vault.model.script(propose('a child in May'));
    const { id } = await vault.file({ text: 'Forget that Anna is pregnant.' });
    const passage = [
      '    people/anna.md:3',
      '      - Anna is expecting a child in May.',
      '      + Anna is expecting.',
    ].join('\n');
    expect((await keepsake(vault, ['show', id])).stdout).toContain(passage);
    const preview = await keepsake(vault, ['approve', id]);
    expect(preview).toMatchObject({ code: 2, stdout: expect.stringContaining(passage) });
    expect(vault.text('people/anna.md')).toContain('in May');
    const [, shown = ''] = /--shown (\w+)/.exec(preview.stderr) ?? [];
    const sentences = await keepsake(vault, ['approve', id, '--sentence', '--shown', shown]);
    expect(sentences).toMatchObject({ code: 2, stdout: expect.stringContaining('also removed') });
    expect(await keepsake(vault, ['approve', id, '--shown', shown])).toMatchObject({ code: 0 });
    expect(vault.text('people/anna.md')).toContain('Anna is expecting. Anna likes tulips.');
    expect(vault.keepsake.agents.updates.find(id)).toMatchObject({ decision: 'approved' });
  });
});
