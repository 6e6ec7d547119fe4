import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Turn } from '../scripted-model/server.ts';
import type { Files } from '../temporary-vault.ts';
import { agentVault } from './agent-vault.ts';
import type { AgentVaultOptions } from './agent-vault.ts';

const clock = (): number => new Date(2025, 6, 14, 18, 30).getTime();
const adopted: AgentVaultOptions = { clock, isAdopted: true };
const identity = (layout: object): Files => ({
  '.keepsake/vault.json': JSON.stringify({
    id: 'a-vault-of-its-own',
    version: 1,
    upkeep: { frontmatter: 'own' },
    layout,
  }),
});
const kitchen = [
  '---',
  'tags: [project]',
  '---',
  '## State',
  'Waiting for the tiles, ordered by [[Dana Whitfield]] on 2025-07-02.',
  '',
  '## Tasks',
  '- [ ] Call the plumber 📅 2025-07-18',
  '- [ ] Choose the paint',
  '',
].join('\n');
const english: Files = {
  '10 Projects/Kitchen remodel.md': kitchen,
  '30 People/Dana Whitfield.md': 'Sells tiles. Phone 555 0199. Prefers to be called in the morning.\n',
  'Templates/Project.md': `${kitchen}{{title}}\n`,
};
const french: Files = {
  'Projets/Cuisine.md': [
    '## État',
    'Le carrelage est commandé chez [[Gérard Le Bihan]] depuis le 02/07/2025.',
    '',
    '## À faire',
    '- [ ] Appeler le plombier 📅 2025-07-18',
    '',
  ].join('\n'),
  'Personnes/Gérard Le Bihan.md':
    'Vend du carrelage à Quimper. Téléphone 02 98 00 00 00, de préférence le matin.\n',
};
const search = (query: string): Turn => ({
  calls: [{ tool: 'search', input: { queries: [query], mode: 'fast' } }],
});
const edit = (path: string, old: string, replacement: string) => ({
  tool: 'edit',
  input: { path, old, new: replacement },
});
const rootNames = (folder: string): string[] => readdirSync(folder).toSorted();

describe('an update of an adopted vault without a changelog', () => {
  it('takes two steps and changes only the note, in English', async () => {
    const { model, file, text, folder } = await agentVault(english, adopted);
    const before = rootNames(folder);
    const path = 'vault/10 Projects/Kitchen remodel.md';
    const call = edit(
      path,
      '8 | - [ ] Call the plumber 📅 2025-07-18',
      '- [x] Call the plumber 📅 2025-07-18 ✅ 2025-07-14',
    );
    model.script(search('plumber'), {
      text: 'Summary: ticked "Call the plumber" in Kitchen remodel.',
      calls: [call],
    });
    const { result } = await file({ text: 'I have called the plumber today.' });
    expect(result).toMatchObject({ kind: 'filed', paths: [path] });
    expect(model.requests).toHaveLength(2);
    expect(text('10 Projects/Kitchen remodel.md')).toContain(
      '- [x] Call the plumber 📅 2025-07-18 ✅ 2025-07-14',
    );
    expect(rootNames(folder)).toEqual(before);
  });

  it('takes two steps and changes only the note, in French', async () => {
    const { model, file, text, folder } = await agentVault(french, adopted);
    const before = rootNames(folder);
    const path = 'vault/Projets/Cuisine.md';
    const line = 'Le carrelage est commandé chez [[Gérard Le Bihan]] depuis le 02/07/2025.';
    model.script(search('carrelage'), {
      text: 'Summary: le carrelage est livré, noté dans Cuisine.',
      calls: [
        edit(path, `2 | ${line}`, 'Le carrelage de [[Gérard Le Bihan]] est livré depuis le 14/07/2025.'),
      ],
    });
    const { result } = await file({ text: 'Le carrelage est livré.' });
    expect(result).toMatchObject({ kind: 'filed', paths: [path] });
    expect(model.requests).toHaveLength(2);
    expect(text('Projets/Cuisine.md')).toContain('est livré depuis le 14/07/2025.');
    expect(rootNames(folder)).toEqual(before);
  });

  it('does not mention a changelog entry in the parts of a long input', async () => {
    const { model, file, text } = await agentVault(english, {
      ...adopted,
      configuration: 'context: 6000\n',
    });
    model.respond(({ toolResults }, index) =>
      toolResults.length === 0
        ? {
            calls: [{ tool: 'write', input: { path: `vault/10 Projects/Part ${index}.md`, content: 'x\n' } }],
          }
        : { text: 'Summary: filed this part.' },
    );
    await file({ text: 'The tiles are blue and the grout is grey.\n\n'.repeat(400) });
    const inputs = model.requests.flatMap(({ userTexts }) =>
      userTexts.filter((each) => each.includes('in parts')),
    );
    expect(inputs.length).toBeGreaterThan(1);
    expect(inputs.filter((each) => each.includes('changelog.md'))).toEqual([]);
    expect(text('changelog.md')).toBeNull();
  });
});

describe('the context of an adopted vault', () => {
  const contextOf = async (files: Files): Promise<string[]> => {
    const { model, file } = await agentVault(files, adopted);
    const write = { tool: 'write', input: { path: 'vault/note-2.md', content: 'Sown.\n' } };
    model.script({ calls: [write], text: 'Summary: filed it.' }, { text: 'Summary: filed it.' });
    await file({ text: 'Sown.' });
    return (model.requests[0]?.userTexts ?? []).slice(0, 2);
  };

  it('asks for no missing file and for the forms of the vault', async () => {
    const [description = ''] = await contextOf(english);
    expect(description).toContain('This vault has no vault/overview.md');
    expect(description).toContain('Do not create what is missing.');
    expect(description).toContain('need no changelog entry');
    expect(description).toContain("the person's own folder structure");
    expect(description).toContain('Keep the forms that its notes use for tasks');
  });

  it('describes projects that are single notes if the projects folder is mapped', async () => {
    const [description = ''] = await contextOf({ ...english, ...identity({ projects: '10 Projects' }) });
    expect(description).toContain("the person's own folder structure");
    expect(description).toContain(
      'Where a project in vault/10 Projects/ is one note, the sections of that note',
    );
    const [folders = ''] = await contextOf({
      '10 Projects/garden/state.md': 'Fallow.\n',
      ...identity({ projects: '10 Projects' }),
    });
    expect(folders).not.toContain('is one note');
  });

  it.each([
    ['English', english, ['10 Projects/Kitchen remodel.md']],
    ['French', french, ['Projets/Cuisine.md']],
  ])(
    'shows at most two sample notes that show its forms, without templates (%s)',
    async (_, files, shown) => {
      const [, list = ''] = await contextOf(files);
      const [, samples = ''] = list.split('as examples of its forms:');
      expect([...samples.matchAll(/^`+vault\/(.*)$/gm)].map(([, path]) => path)).toEqual(shown);
      expect(samples).toContain('📅 2025-07-18');
    },
  );

  it('limits sample notes to 600 tokens and chooses them without regard to the order of files', async () => {
    const long = (title: string): string =>
      `# ${title}\n\n- [ ] Call [[Dana]] 📅 2025-07-18\n${'A line of words.\n'.repeat(300)}`;
    const notes = Object.fromEntries(['c', 'a', 'b'].map((name) => [`Areas/${name}.md`, long(name)]));
    const [, list = ''] = await contextOf(notes);
    const [, samples = ''] = list.split('as examples of its forms:');
    expect(samples.length / 4).toBeLessThanOrEqual(600);
    expect([...samples.matchAll(/^`+vault\/(.*)$/gm)].map(([, path]) => path)).toEqual([
      'Areas/a.md',
      'Areas/b.md',
    ]);
  });

  it('hides excluded notes', async () => {
    const { model, file } = await agentVault(english, {
      ...adopted,
      configuration: "agents:\n  exclude: ['10 Projects/**']\n",
    });
    const write = { tool: 'write', input: { path: 'vault/note-2.md', content: 'Sown.\n' } };
    model.script({ calls: [write], text: 'Summary: filed it.' });
    await file({ text: 'Sown.' });
    expect(model.requests[0]?.rawBody).not.toContain('plumber');
  });
});

describe('an inbox with a custom name', () => {
  const files = {
    ...english,
    ...identity({ inbox: '00 Inbox' }),
    '00 Inbox/Idea.md': 'A zebra crossing at the school.\n',
  };
  const review = { tool: 'write', input: { path: '', content: '# Which kitchen?\n' } };

  it('gets the questions of the agent, and an answer closes the item', async () => {
    const { model, file, text, folder, keepsake } = await agentVault(files, adopted);
    model.respond(({ userTexts, toolResults }) => {
      if (toolResults.length > 0) return { text: 'Summary: asked which kitchen is meant.' };
      const [, item = ''] = /stored in (vault\/00 Inbox\/[^ /]+\/)/.exec(userTexts.at(-1) ?? '') ?? [];
      return { calls: [{ ...review, input: { ...review.input, path: `${item}review.md` } }] };
    });
    const { result } = await file({ text: 'The kitchen is too dark.' });
    const asked = result?.kind === 'filed' ? (result.asked ?? '') : '';
    expect(text(`00 Inbox/${asked}/review.md`)).toContain('# Which kitchen?\n');
    expect(model.requests[0]?.system).toContain('`vault/00 Inbox/<day>-<name>/`');
    const open = await keepsake.inbox();
    expect(open).toMatchObject([{ kind: 'question', path: `vault/00 Inbox/${asked}/` }]);
    const path = 'vault/10 Projects/Kitchen remodel.md';
    model.respond(() => ({
      text: 'Summary: noted in Kitchen remodel.',
      calls: [
        edit(path, '9 | - [ ] Choose the paint', '- [ ] Choose the paint\n- [ ] The kitchen is too dark'),
      ],
    }));
    await file({ text: 'The one of the remodel.', inboxRef: asked });
    expect(text(`00 Inbox/${asked}/review.md`)).toBeNull();
    expect(readdirSync(join(folder, '00 Inbox'))).toEqual(['Idea.md']);
    expect(rootNames(folder)).not.toContain('inbox');
  });

  it('keeps the notes of the user in it searchable', async () => {
    const { model, file } = await agentVault(files, adopted);
    const write = { tool: 'write', input: { path: 'vault/note-2.md', content: 'Zebra.\n' } };
    model.script(search('zebra crossing'), { calls: [write], text: 'Summary: filed it.' });
    await file({ text: 'Zebra.' });
    expect(model.requests[1]?.toolResults[0]?.text).toContain('vault/00 Inbox/Idea.md');
  });

  it('prevents updates while it is hidden from AI', async () => {
    const configuration = "agents:\n  exclude: ['00 Inbox/**']\n";
    const { model, file } = await agentVault(files, { ...adopted, configuration });
    expect(await file({ text: 'Sown.' })).toMatchObject({
      state: 'parked',
      reason: { text: expect.stringContaining('vault/00 Inbox is hidden from AI') },
    });
    expect(model.requests).toEqual([]);
  });
});

it('an update that only adds tasks needs no changelog entry, unless it also removes one', async () => {
  const task = '# Buy coffee for the workshop\nstatus: to-do | prio: medium | added: 2025-07-14\n';
  const { model, file, text } = await agentVault({ 'tasks.md': '# Mow\nstatus: to-do\n' }, { clock });
  const log = text('changelog.md');
  const add = { tool: 'append', input: { path: 'vault/tasks.md', content: task, position: 'bottom' } };
  model.script(search('coffee'), { text: 'Summary: added the task.', calls: [add] });
  await file({ text: 'Buy coffee for the workshop.' });
  expect(model.requests).toHaveLength(2);
  expect(text('tasks.md')).toContain(task);
  expect(text('changelog.md')).toBe(log);
  model.answerRepairs();
  const remove = edit('vault/tasks.md', '1 | # Mow\n2 | status: to-do', '');
  const ended: Turn = { text: 'Summary: removed the task.' };
  model.script(search('mow'), { ...ended, calls: [remove] }, ended);
  await file({ text: 'I will not mow.' });
  expect(model.requests.at(-1)?.userTexts.at(-1)).toContain('exactly one entry to vault/changelog.md');
});
