import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Call, Turn } from '../scripted-model/server.ts';
import { agentVault, anEntry } from './agent-vault.ts';
import type { AgentVault } from './agent-vault.ts';

const clock = (): number => new Date(2025, 6, 14, 18, 30).getTime();
const note = 'The landlady keeps the spare key under the blue pot.';
const item = {
  'inbox/2025-07-01-key/review.md': '# Which key?\n\n**Which project is it about?**\n',
  'inbox/2025-07-01-key/original.md': `---\nsource: "test"\n---\n\n${note}\n`,
};
const answer = { text: 'It is about the flat.', inboxRef: '2025-07-01-key' };

const append = (path: string, content: string, position = 'bottom'): Call => ({
  tool: 'append',
  input: { path, content, position },
});
const entry = append('vault/changelog.md', '# 2025-07-14\n\n## The spare key\nUnder the blue pot.', 'top');
const search: Turn = { calls: [{ tool: 'search', input: { queries: ['spare key'], mode: 'fast' } }] };

/** A model that only ever writes this. */
function writingOnly(vault: AgentVault, text: string): void {
  vault.model.respond(() => ({ text }));
}

const inboxOf = (vault: AgentVault): string[] => readdirSync(join(vault.folder, 'inbox'));

describe('a model that only writes prose', () => {
  it('is told once in each attempt that it filed nothing, and then the input waits in the inbox as it came', async () => {
    const vault = await agentVault({}, { clock });
    writingOnly(vault, 'I have filed it for you.');
    const update = await vault.file({ text: note });
    const [name = ''] = inboxOf(vault);
    expect(update).toMatchObject({ state: 'done', attempts: 3, result: { kind: 'filed', asked: name } });
    expect(vault.text(`inbox/${name}/original.md`)).toContain(note);
    const review = vault.text(`inbox/${name}/review.md`);
    expect(review).toContain('# Not filed yet');
    expect(review).toMatch(/filed nothing of it and only wrote: "I have filed it for you\."/);
    expect(vault.model.requests).toHaveLength(6);
    expect(vault.model.requests[1]?.userTexts.at(-1)).toContain('Nothing was filed yet');
    expect(vault.text('changelog.md')?.match(/^## /gm)).toHaveLength(1);
  });

  it('does not close an inbox item, whose files stay, and whose answer lies beside them', async () => {
    const vault = await agentVault(item, { clock });
    writingOnly(vault, 'Thank you, I filed it under the flat.');
    const { result } = await vault.file(answer);
    expect(result).toMatchObject({ kind: 'filed', asked: '2025-07-01-key' });
    expect(inboxOf(vault)).toEqual(['2025-07-01-key']);
    expect(vault.text('inbox/2025-07-01-key/original.md')).toContain(note);
    expect(vault.text('inbox/2025-07-01-key/original-2.md')).toContain('It is about the flat.');
    expect(vault.text('inbox/2025-07-01-key/review.md')).toMatch(/# Not filed yet[^]*# Which key\?/);
  });
});

it('a server that sends something else than answers leaves the update parked, for when it does', async () => {
  const vault = await agentVault({}, { clock });
  vault.model.respond(() => ({ fault: 'garbage' }));
  expect(await vault.file({ text: note })).toMatchObject({
    state: 'parked',
    attempts: 3,
    reason: { code: 'other-answer' },
  });
  expect(inboxOf(vault)).toEqual([]);
});

describe('nothing new', () => {
  const known = {
    'bucket/keys.md': '# Keys\n\nThe spare key is under the blue pot.\n',
    'bucket/milk.md': 'Milk.\n',
  };
  const outcomeOf = async (...turns: Turn[]) => {
    const vault = await agentVault(known, { clock });
    vault.model.script(...turns);
    vault.model.respond(() => turns.at(-1) ?? { text: '' });
    const { result } = await vault.file({ text: note });
    return { vault, result };
  };

  it.each([
    'It is in vault/bucket/keys.md:3 already.',
    'Nothing in vault/bucket/milk.md, but vault/bucket/keys.md:3 says it.',
    'See `vault/bucket/keys.md` (line 3).',
  ])('is so when the agent has looked, and names lines that say it: %s', async (said) => {
    const { result, vault } = await outcomeOf(search, { text: said });
    expect(result).toEqual({ kind: 'unchanged', summary: said, known: ['vault/bucket/keys.md:3'] });
    expect(vault.model.requests).toHaveLength(2);
  });

  it.each([
    ['without having looked', [{ text: 'It is in vault/bucket/keys.md:3 already.' }]],
    ['without naming lines', [search, { text: 'It is in vault/bucket/keys.md already.' }]],
    ['with lines that do not exist', [search, { text: 'See vault/bucket/keys.md:30.' }]],
    ['with a file that does not exist', [search, { text: 'See vault/bucket/no.md:3.' }]],
    ['with lines that say something else', [search, { text: 'See vault/bucket/milk.md:1.' }]],
  ] as [string, Turn[]][])('is not believed %s', async (_why, turns) => {
    const { result } = await outcomeOf(...turns);
    expect(result).toMatchObject({ kind: 'filed', asked: expect.stringContaining('the-landlady') });
  });
});

describe('words that came in', () => {
  it('are kept in the bucket when what was written has nothing of them', async () => {
    const vault = await agentVault({}, { clock });
    vault.model.script(anEntry('Buy milk'), { text: 'Summary: done.' });
    const { result } = await vault.file({ text: note });
    expect(result).toMatchObject({ kind: 'filed', asked: null });
    expect(vault.text('bucket/2025-07-14-the-landlady-keeps-the-spare-2eb0.md')).toContain(note);
  });

  it('go when they were written down', async () => {
    const vault = await agentVault({}, { clock });
    vault.model.script({ calls: [entry] }, { text: 'Done.' });
    await vault.file({ text: note });
    expect(existsSync(join(vault.folder, 'bucket'))).toBe(true);
    expect(readdirSync(join(vault.folder, 'bucket'))).toEqual([]);
    expect(inboxOf(vault)).toEqual([]);
  });

  it('of an item are kept, too, when its answer was filed without them', async () => {
    const vault = await agentVault(item, { clock });
    vault.model.script(anEntry('Buy milk'), { text: 'Done.' });
    await vault.file(answer);
    expect(inboxOf(vault)).toEqual([]);
    expect(vault.text('bucket/2025-07-01-key.md')).toContain(note);
  });

  it('of an item go when the agent drops them on the word of the person', async () => {
    const vault = await agentVault(item, { clock });
    const drop: Call = { tool: 'delete', input: { path: 'vault/inbox/2025-07-01-key/original.md' } };
    vault.model.script({ calls: [drop] }, { text: 'Dropped.' }, { text: 'Dropped.' });
    const { result } = await vault.file({ ...answer, text: 'Forget it.' });
    expect(result).toMatchObject({ kind: 'filed', asked: null });
    expect(inboxOf(vault)).toEqual([]);
    expect(readdirSync(join(vault.folder, 'bucket'))).toEqual([]);
  });
});

describe('what came in, when the agent', () => {
  const lies = 'vault/inbox/2025-07-14-the-landlady-keeps-the-spare-2eb0/original.md';
  const milk = append('vault/tasks.md', '# Buy milk\nstatus: to-do');
  const plain = append('vault/changelog.md', '# 2025-07-14\n\n## Milk', 'top');
  const everything = (vault: AgentVault): string =>
    readdirSync(vault.folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md') && path !== 'tree.md')
      .map((path) => vault.text(path))
      .join('\n');

  it.each([
    ['moves it to a bucket', [{ tool: 'move', input: { from: lies, to: 'vault/bucket/key.md' } }]],
    ['deletes it', [milk, { tool: 'delete', input: { path: lies } }]],
    [
      'writes over it',
      [
        { tool: 'read', input: { paths: lies } },
        { tool: 'write', input: { path: lies, content: 'filed' } },
      ],
    ],
    [
      'moves it and then writes over it',
      [
        { tool: 'move', input: { from: lies, to: 'vault/bucket/key.md' } },
        { tool: 'read', input: { paths: 'vault/bucket/key.md' } },
        { tool: 'write', input: { path: 'vault/bucket/key.md', content: 'filed' } },
      ],
    ],
  ] as [string, Call[]][])('%s, is in the vault', async (_what, calls) => {
    const vault = await agentVault({}, { clock });
    vault.model.script({ calls: [...calls, plain] }, { text: 'Done.' });
    const { result } = await vault.file({ text: note });
    expect(result).toMatchObject({ kind: 'filed', asked: null });
    expect(everything(vault)).toContain(note);
    expect(inboxOf(vault)).toEqual([]);
  });

  it('asks about it and deletes it, lies beside the question', async () => {
    const vault = await agentVault({}, { clock });
    const review = lies.replace('original', 'review');
    const calls: Call[] = [
      { tool: 'write', input: { path: review, content: '# Whose key?\n' } },
      { tool: 'delete', input: { path: lies } },
      plain,
    ];
    vault.model.script({ calls }, { text: 'Asked.' });
    await vault.file({ text: note });
    expect(vault.text(lies.slice('vault/'.length))).toContain(note);
  });

  it('deletes a text that was handed over as a file, is in the bucket', async () => {
    const vault = await agentVault({}, { clock });
    vault.model.respond(({ userTexts }, index) => {
      const path = /vault\/inbox\/\S+\/minutes\.md/.exec(userTexts.join('\n'))?.[0];
      return index === 0 ? { calls: [{ tool: 'delete', input: { path } }, plain] } : { text: 'Done.' };
    });
    await vault.file({ files: [{ name: 'minutes.md', bytes: Buffer.from(`${note}\n`) }] });
    expect(vault.text('bucket/minutes.md')).toContain(note);
  });

  it('deletes an item that nobody said to drop, is in the bucket', async () => {
    const vault = await agentVault(item, { clock });
    const drop: Call = { tool: 'delete', input: { path: 'vault/inbox/2025-07-01-key/' } };
    vault.model.script({ calls: [milk, drop, plain] }, { text: 'Done.' });
    await vault.file(answer);
    expect(vault.text('bucket/2025-07-01-key.md')).toContain(note);
  });

  it('files a long answer and not what the item is about, is in the bucket', async () => {
    const long = 'The gutter, the chimney, the cellar window and the garden gate were inspected yesterday.';
    const vault = await agentVault(item, { clock });
    vault.model.script({ calls: [append('vault/tasks.md', `# ${long}`), plain] }, { text: 'Done.' });
    await vault.file({ ...answer, text: long });
    expect(vault.text('bucket/2025-07-01-key.md')).toContain(note);
  });
});

describe('the end of a run', () => {
  it('comes with the summary beside the last changes, without another call of the model', async () => {
    const vault = await agentVault({}, { clock });
    vault.model.script(search, { text: 'Summary: The key is noted.', calls: [entry] });
    const { result } = await vault.file({ text: note });
    expect(result).toMatchObject({ kind: 'filed', summary: 'The key is noted.' });
    expect(vault.model.requests).toHaveLength(2);
  });

  it('does not come beside a change that failed, or beside a search', async () => {
    const vault = await agentVault({}, { clock });
    const failing = append('vault/no-such.md', 'x');
    const looking: Call = { tool: 'search', input: { queries: ['pot'], mode: 'fast' } };
    vault.model.script(
      { text: 'Summary: Noted.', calls: [entry, failing] },
      { text: 'Summary: Noted.', calls: [looking] },
      { text: 'Summary: The key is noted.' },
    );
    const { result } = await vault.file({ text: note });
    expect(result).toMatchObject({ kind: 'filed', summary: 'The key is noted.' });
    expect(vault.model.requests).toHaveLength(3);
  });

  it('comes when the same call is made again and again, and the input waits in the inbox', async () => {
    const vault = await agentVault({}, { clock });
    vault.model.respond(() => search);
    const { result, spent } = await vault.file({ text: note });
    expect(result).toMatchObject({ kind: 'filed', asked: expect.any(String) });
    expect(spent?.steps).toBe(9);
  });
});

describe('what is certain and what is not', () => {
  it('are filed and asked about in one update, and the question names what was filed', async () => {
    const vault = await agentVault({}, { clock });
    const review = 'vault/inbox/2025-07-14-the-landlady-keeps-the-spare-2eb0/review.md';
    vault.model.script(
      {
        calls: [
          append('vault/tasks.md', '# Fetch the spare key\nstatus: todo'),
          { tool: 'write', input: { path: review, content: '# Whose key?\n\n**Whose is it?**\n' } },
          entry,
        ],
      },
      { text: 'Filed the task, and asked about the key.' },
    );
    const { result } = await vault.file({ text: note });
    expect(result).toMatchObject({ kind: 'filed', asked: '2025-07-14-the-landlady-keeps-the-spare-2eb0' });
    expect(vault.text('tasks.md')).toContain('Fetch the spare key');
    expect(vault.text(review.slice('vault/'.length))).toMatch(/Filed already:\n\n- vault\/tasks\.md\n$/);
  });
});
