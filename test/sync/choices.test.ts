import { describe, expect, it } from 'vitest';
import type { InboxChoice } from '../../packages/vault/src/contract/index.ts';
import { createMachines, identity } from './machines.ts';
import type { Machine } from './machines.ts';

const note = (...lines: string[]): string => `# Plan\n\n${lines.join('\n\n')}\n`;

async function two(name: string, content: string): Promise<{ laptop: Machine; desktop: Machine }> {
  const { machine } = createMachines();
  const laptop = await machine('laptop', { ...identity, [name]: content });
  await laptop.sync();
  const desktop = await machine('desktop', identity);
  await desktop.sync();
  return { laptop, desktop };
}

/** Without the stamps that a change adds. */
const body = (text: string | null): string => (text ?? '').replace(/^---\n[^]*?\n---\n\n/, '');

async function choose({ keepsake }: Machine, choice: InboxChoice): Promise<string> {
  const [question] = await keepsake.inbox();
  if (question?.kind !== 'question') throw new Error('nothing was asked');
  const source = { kind: 'person' as const, name: 'test' };
  const { id } = await keepsake.accept({ text: choice, files: [], source, inboxRef: question.item, choice });
  expect(keepsake.agents.updates.find(id)).toMatchObject({ state: 'done', result: { kind: 'filed' } });
  return id;
}

describe('disputed lines', () => {
  const disputed = async (): ReturnType<typeof two> => {
    const machines = await two('a.md', note('one', 'two', 'three'));
    machines.laptop.put({ 'a.md': note('one by the laptop', 'two', 'three') });
    machines.desktop.put({ 'a.md': note('one by the desktop', 'two', 'three, changed') });
    await machines.laptop.sync();
    await machines.desktop.sync();
    await machines.laptop.sync();
    return machines;
  };

  it.each(['laptop', 'desktop'] as const)('of the %s are mine there, without a model', async (name) => {
    const machines = await disputed();
    const [versions] = (await machines[name].keepsake.inbox()).map((each) =>
      each.kind === 'question' ? each.versions : null,
    );
    const other = name === 'laptop' ? 'desktop' : 'laptop';
    expect(versions).toEqual({
      note: 'vault/a.md',
      mine: `one by the ${name}`,
      theirs: `one by the ${other}`,
    });
    await choose(machines[name], 'mine');
    expect(body(machines[name].read('a.md'))).toBe(note(`one by the ${name}`, 'two', 'three, changed'));
    expect(await machines[name].keepsake.inbox()).toEqual([]);
  });

  it('stay in history when they are not chosen, and come back with undo', async () => {
    const { laptop } = await disputed();
    const both = laptop.read('a.md');
    const id = await choose(laptop, 'theirs');
    expect(body(laptop.read('a.md'))).toBe(note('one by the desktop', 'two', 'three, changed'));
    const change = laptop.keepsake.changes.find(id);
    expect(JSON.stringify(await change?.diffs())).toContain('one by the laptop');
    await laptop.keepsake.changes.undo(id);
    expect(laptop.read('a.md')).toBe(both);
    expect(await laptop.keepsake.inbox()).toHaveLength(1);
  });

  it('both stay if both are chosen', async () => {
    const { desktop } = await disputed();
    const both = desktop.read('a.md');
    await choose(desktop, 'both');
    expect(desktop.read('a.md')).toBe(both);
    expect(await desktop.keepsake.inbox()).toEqual([]);
  });

  it.each([
    ['category: zero', 'category: LAPTOP', 'category: "DESK, TOP"', 'category: [LAPTOP, "DESK, TOP"]'],
    ['source: [a, [b]]', 'source: [a, [c]]', 'source: [a, [d]]', 'source: [a, [c]]\nsource-2: [a, [d]]'],
    ['a:\n  b: c', 'a:\n  b: LAPTOP', 'a:\n  b: DESKTOP', 'a:\n  b: LAPTOP\n# b: DESKTOP'],
  ])('in the frontmatter keep both values if both are chosen: %s', async (base, one, other, both) => {
    const written = (fields: string): string =>
      `---\ntitle: Second\n${fields}\nkept: yes\n---\n\n${note('one')}`;
    const { laptop, desktop } = await two('a.md', written(base));
    laptop.put({ 'a.md': written(one) });
    desktop.put({ 'a.md': written(other) });
    await laptop.sync();
    await desktop.sync();
    const id = await choose(desktop, 'both');
    const values = (fields: string): string[] => fields.split(/[\n,:[\]# -]+/).toSorted();
    const [, fields = ''] = /^title: Second\n([^]*)\nkept: yes$/m.exec(desktop.read('a.md') ?? '') ?? [];
    expect(values(fields)).toEqual(values(both));
    expect(fields.split('\n')).toHaveLength(both.split('\n').length);
    expect(await desktop.keepsake.inbox()).toEqual([]);
    await desktop.keepsake.changes.undo(id);
    expect(await desktop.keepsake.inbox()).toHaveLength(1);
  });

  it('are not settled by a client, or after the note has changed', async () => {
    const { laptop } = await disputed();
    const [question] = await laptop.keepsake.inbox();
    const inboxRef = question?.kind === 'question' ? question.item : '';
    const before = laptop.read('a.md');
    const input = { text: 'x', files: [], inboxRef, choice: 'mine' as const };
    const { updates } = laptop.keepsake.agents;
    const asClient = { ...input, source: { kind: 'other' as const, name: 'a client' } };
    const denied = await laptop.keepsake.accept(asClient);
    expect(updates.find(denied.id)?.reason?.text).toContain('only the user');
    expect(laptop.read('a.md')).toBe(before);
    laptop.put({ 'a.md': note('something else') });
    const late = await laptop.keepsake.accept({ ...input, source: { kind: 'person', name: 'test' } });
    expect(updates.find(late.id)?.reason?.text).toContain('edit the note');
    expect(laptop.read('a.md')).toBe(note('something else'));
  });
});

describe('two versions of a file that cannot be merged', () => {
  const versions = async (): ReturnType<typeof two> => {
    const machines = await two('data.json', '{ "a": 1 }\n');
    machines.laptop.put({ 'data.json': '{ "a": "laptop" }\n' });
    machines.desktop.put({ 'data.json': '{ "a": "desktop" }\n' });
    await machines.laptop.sync();
    await machines.desktop.sync();
    return machines;
  };

  it.each([
    ['mine', '{ "a": "desktop" }\n'],
    ['theirs', '{ "a": "laptop" }\n'],
  ] as const)('are settled with %s', async (choice, kept) => {
    const { desktop } = await versions();
    const before = desktop.files();
    const id = await choose(desktop, choice);
    expect(desktop.read('data.json')).toBe(kept);
    expect(Object.keys(desktop.files()).filter((path) => path.startsWith('inbox/'))).toEqual([]);
    await desktop.keepsake.changes.undo(id);
    expect(desktop.files()).toEqual(before);
  });

  it('both stay next to each other if both are chosen', async () => {
    const { desktop } = await versions();
    await choose(desktop, 'both');
    const kept = Object.entries(desktop.files()).filter(([path]) => /^data.*\.json$/.test(path));
    expect(kept.map(([, content]) => content).toSorted()).toEqual([
      '{ "a": "desktop" }\n',
      '{ "a": "laptop" }\n',
    ]);
  });
});
