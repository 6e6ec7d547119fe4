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

/** A model that only ever writes this text. */
function writingOnly(vault: AgentVault, text: string): void {
  vault.model.respond(() => ({ text }));
}

const inboxOf = (vault: AgentVault): string[] => readdirSync(join(vault.folder, 'inbox'));

describe('a model that only writes prose', () => {
  it('is told once per attempt that it filed nothing, and then the input goes to the inbox unchanged', async () => {
    const vault = await agentVault({}, { clock });
    writingOnly(vault, 'I have filed it for you.');
    const update = await vault.file({ text: note });
    const [name = ''] = inboxOf(vault);
    expect(update).toMatchObject({ state: 'done', attempts: 3, result: { kind: 'filed', asked: name } });
    expect(vault.text(`inbox/${name}/original.md`)).toContain(note);
    const review = vault.text(`inbox/${name}/review.md`);
    expect(review).toContain('# Not filed yet');
    expect(review).toMatch(/filed nothing and only returned: "I have filed it for you\."/);
    expect(vault.model.requests).toHaveLength(6);
    expect(vault.model.requests[1]?.userTexts.at(-1)).toContain('Nothing has been filed yet');
    expect(vault.text('changelog.md')).not.toContain('##');
  });

  it('does not close an inbox item: the files of the item stay, and the answer is stored next to them', async () => {
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

it('an update is parked for a retry if the server sends invalid responses', async () => {
  const vault = await agentVault({}, { clock });
  vault.model.respond(() => ({ fault: 'garbage' }));
  expect(await vault.file({ text: note })).toMatchObject({
    state: 'parked',
    attempts: 3,
    reason: { code: 'other-answer' },
  });
  expect(inboxOf(vault)).toEqual([]);
});

describe('an update with nothing new', () => {
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
  ])('is accepted if the agent has searched and cites the lines: %s', async (said) => {
    const { result, vault } = await outcomeOf(search, { text: said });
    expect(result).toEqual({ kind: 'unchanged', summary: said, known: ['vault/bucket/keys.md:3'] });
    expect(vault.model.requests).toHaveLength(2);
  });

  it('names the sentences whose words the cited lines do not have', async () => {
    const vault = await agentVault({ 'bucket/shop.md': 'Buy 20 screws for the door in the cellar.\n' });
    const said = 'It is in vault/bucket/shop.md:1 already.';
    vault.model.script(search, { text: said });
    const { result } = await vault.file({ text: 'Buy 20 screws for the shed. The blue paint is used up.' });
    expect(result).toMatchObject({
      kind: 'unchanged',
      summary: `${said}\nIn other words there, or missing: "The blue paint is used up."`,
    });
  });

  it.each([
    ['without searching', [{ text: 'It is in vault/bucket/keys.md:3 already.' }]],
    ['without citing lines', [search, { text: 'It is in vault/bucket/keys.md already.' }]],
    ['with lines that do not exist', [search, { text: 'See vault/bucket/keys.md:30.' }]],
    ['with a file that does not exist', [search, { text: 'See vault/bucket/no.md:3.' }]],
    ['with unrelated lines', [search, { text: 'See vault/bucket/milk.md:1.' }]],
  ] as [string, Turn[]][])('is rejected %s', async (_why, turns) => {
    const { result } = await outcomeOf(...turns);
    expect(result).toMatchObject({ kind: 'filed', asked: expect.stringContaining('the-landlady') });
  });
});

describe('the text of the input', () => {
  it('goes to the bucket if the filed text contains nothing of it', async () => {
    const vault = await agentVault({}, { clock });
    vault.model.script(anEntry('Buy milk'), { text: 'Summary: done.' });
    const { result } = await vault.file({ text: note });
    expect(result).toMatchObject({ kind: 'filed', asked: null });
    expect(vault.text('bucket/2025-07-14-the-landlady-keeps-the-spare-2eb0.md')).toContain(note);
  });

  it('is removed if it was filed', async () => {
    const vault = await agentVault({}, { clock });
    vault.model.script({ calls: [entry] }, { text: 'Done.' });
    await vault.file({ text: note });
    expect(existsSync(join(vault.folder, 'bucket'))).toBe(true);
    expect(readdirSync(join(vault.folder, 'bucket'))).toEqual([]);
    expect(inboxOf(vault)).toEqual([]);
  });

  it('goes to the bucket if it comes from an inbox item and the filed text contains nothing of it', async () => {
    const vault = await agentVault(item, { clock });
    vault.model.script(anEntry('Buy milk'), { text: 'Done.' });
    await vault.file(answer);
    expect(inboxOf(vault)).toEqual([]);
    expect(vault.text('bucket/2025-07-01-key.md')).toContain(note);
  });

  it('is removed if it comes from an inbox item and the user says to drop it', async () => {
    const vault = await agentVault(item, { clock });
    const drop: Call = { tool: 'delete', input: { path: 'vault/inbox/2025-07-01-key/original.md' } };
    vault.model.script({ calls: [drop] }, { text: 'Dropped.' }, { text: 'Dropped.' });
    const { result } = await vault.file({ ...answer, text: 'Forget it.' });
    expect(result).toMatchObject({ kind: 'filed', asked: null });
    expect(inboxOf(vault)).toEqual([]);
    expect(readdirSync(join(vault.folder, 'bucket'))).toEqual([]);
  });
});

describe('the input', () => {
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
      'overwrites it',
      [
        { tool: 'read', input: { paths: lies } },
        { tool: 'write', input: { path: lies, content: 'filed' } },
      ],
    ],
    [
      'moves and then overwrites it',
      [
        { tool: 'move', input: { from: lies, to: 'vault/bucket/key.md' } },
        { tool: 'read', input: { paths: 'vault/bucket/key.md' } },
        { tool: 'write', input: { path: 'vault/bucket/key.md', content: 'filed' } },
      ],
    ],
  ] as [string, Call[]][])('stays in the vault if the agent %s', async (_what, calls) => {
    const vault = await agentVault({}, { clock });
    vault.model.script({ calls: [...calls, plain] }, { text: 'Done.' });
    const { result } = await vault.file({ text: note });
    expect(result).toMatchObject({ kind: 'filed', asked: null });
    expect(everything(vault)).toContain(note);
    expect(inboxOf(vault)).toEqual([]);
  });

  it('stays next to the question if the agent asks about it and deletes it', async () => {
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

  it('goes to the bucket if it is an attached text file that the agent deletes', async () => {
    const vault = await agentVault({}, { clock });
    vault.model.respond(({ userTexts }, index) => {
      const path = /vault\/inbox\/\S+\/minutes\.md/.exec(userTexts.join('\n'))?.[0];
      return index === 0 ? { calls: [{ tool: 'delete', input: { path } }, plain] } : { text: 'Done.' };
    });
    await vault.file({ files: [{ name: 'minutes.md', bytes: Buffer.from(`${note}\n`) }] });
    expect(vault.text('bucket/minutes.md')).toContain(note);
  });

  it('goes to the bucket if the agent deletes its inbox item without being told to drop it', async () => {
    const vault = await agentVault(item, { clock });
    const drop: Call = { tool: 'delete', input: { path: 'vault/inbox/2025-07-01-key/' } };
    vault.model.script({ calls: [milk, drop, plain] }, { text: 'Done.' });
    await vault.file(answer);
    expect(vault.text('bucket/2025-07-01-key.md')).toContain(note);
  });

  it('goes to the bucket if the agent deletes it and only logs the answer', async () => {
    const vault = await agentVault(item, { clock });
    const drop: Call = { tool: 'delete', input: { path: 'vault/inbox/2025-07-01-key/original.md' } };
    vault.model.script({ calls: [drop, plain] }, { text: 'Dropped.' });
    await vault.file(answer);
    expect(vault.text('bucket/2025-07-01-key.md')).toContain(note);
  });

  it('goes to the bucket if the agent files only the long answer to its inbox item', async () => {
    const long = 'The gutter, the chimney, the cellar window and the garden gate were inspected yesterday.';
    const vault = await agentVault(item, { clock });
    vault.model.script({ calls: [append('vault/tasks.md', `# ${long}`), plain] }, { text: 'Done.' });
    await vault.file({ ...answer, text: long });
    expect(vault.text('bucket/2025-07-01-key.md')).toContain(note);
  });
});

describe('a run of the update agent', () => {
  it('ends with a summary in the same message as the last changes, without another model call', async () => {
    const vault = await agentVault({}, { clock });
    vault.model.script(search, { text: 'Summary: The key is noted.', calls: [entry] });
    const { result } = await vault.file({ text: note });
    expect(result).toMatchObject({ kind: 'filed', summary: 'The key is noted.' });
    expect(vault.model.requests).toHaveLength(2);
  });

  it('does not end with a summary in the same message as a failed change or a search', async () => {
    const vault = await agentVault({}, { clock });
    const failing = append('vault/no-such.md', 'x');
    const looking: Call = { tool: 'search', input: { queries: ['pot'], mode: 'fast' } };
    vault.model.script(
      { text: 'Summary: Noted.', calls: [entry, failing] },
      { text: 'Summary: Noted.', calls: [looking] },
      { text: 'Summary: The key is noted.' },
    );
    const { result } = await vault.file({ text: note });
    expect(result).toMatchObject({ kind: 'filed', summary: expect.stringContaining('The key is noted.') });
    expect(vault.model.requests).toHaveLength(3);
  });

  it('ends when the same call is repeated, and the input goes to the inbox', async () => {
    const vault = await agentVault({}, { clock });
    vault.model.respond(() => search);
    const { result, spent } = await vault.file({ text: note });
    expect(result).toMatchObject({ kind: 'filed', asked: expect.any(String) });
    expect(spent?.steps).toBe(9);
  });
});

describe('certain and uncertain parts of an input', () => {
  it('are filed and asked about, respectively, in one update, and the question names what was filed', async () => {
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
    expect(vault.text(review.slice('vault/'.length))).toMatch(/Already filed:\n\n- vault\/tasks\.md\n$/);
  });
});
