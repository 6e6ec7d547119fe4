import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Call } from '../scripted-model/server.ts';
import { agentVault } from './agent-vault.ts';
import type { AgentVault } from './agent-vault.ts';

const clock = (): number => new Date(2025, 6, 14, 18, 30).getTime();
const note = 'The landlady keeps the spare key under the blue pot.';
const minutes = 'Minutes: the gutters get a new coat of paint in autumn.';
const inbox = 'vault/inbox/2025-07-01-key';
const item = {
  'inbox/2025-07-01-key/review.md': '# Which key?\n\n**Which project is it about?**\n',
  'inbox/2025-07-01-key/original.md': `---\nsource: "test"\n---\n\n${note}\n`,
};
const answer = { text: 'It is about the flat.', inboxRef: '2025-07-01-key' };

const deleting = (path: string): Call => ({ tool: 'delete', input: { path } });
const reading = (path: string): Call => ({ tool: 'read', input: { paths: path } });
const writing = (path: string, content: string): Call => ({ tool: 'write', input: { path, content } });
const moving = (from: string, to: string): Call => ({ tool: 'move', input: { from, to } });
const entry: Call = {
  tool: 'append',
  input: { path: 'vault/changelog.md', content: '# 2025-07-14\n\n## Update 7', position: 'top' },
};
const searching: Call = { tool: 'search', input: { queries: ['key'], mode: 'fast' } };

/** Everything that the vault contains. */
function everything(vault: AgentVault): string {
  return readdirSync(vault.folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && path !== 'tree.md')
    .map((path) => vault.text(path))
    .join('\n');
}

const listInbox = (vault: AgentVault): string[] => readdirSync(join(vault.folder, 'inbox'));

/** Answers the item with a model that makes these calls, and always claims that all is done. */
async function answerWith(calls: Call[], { files = item, text = answer.text, said = 'Summary: done.' } = {}) {
  const vault = await agentVault(files, { clock });
  vault.model.script({ calls });
  vault.model.respond(() => ({ text: said }));
  const update = await vault.file({ ...answer, text });
  return { vault, update };
}

describe('the text of an answered inbox item', () => {
  it.each<[string, Call[]]>([
    [
      'moves and then overwrites it',
      [
        moving(`${inbox}/original.md`, 'vault/bucket/key.md'),
        reading('vault/bucket/key.md'),
        writing('vault/bucket/key.md', 'filed'),
      ],
    ],
    [
      'replaces it by other words about it',
      [
        reading(`${inbox}/original.md`),
        writing(`${inbox}/original.md`, 'The landlady keeps a spare key somewhere.'),
      ],
    ],
    ['deletes it with the whole item', [deleting(`${inbox}/`)]],
  ])('is kept if the agent %s', async (_what, calls) => {
    const { vault, update } = await answerWith([...calls, entry]);
    expect(update.result).toMatchObject({ kind: 'filed', asked: null });
    expect(listInbox(vault)).toEqual([]);
    expect(everything(vault)).toContain(note);
  });

  it('is kept if the agent deletes it and asks again', async () => {
    const calls = [deleting(`${inbox}/original.md`), writing(`${inbox}/review.md`, '# Whose key?\n'), entry];
    const { vault } = await answerWith([reading(`${inbox}/review.md`), ...calls]);
    expect(listInbox(vault)).toEqual(['2025-07-01-key']);
    expect(vault.text('inbox/2025-07-01-key/original.md')).toContain(note);
    expect(vault.text('inbox/2025-07-01-key/review.md')).toContain('# Whose key?');
  });

  it('is kept if a sentence of it was left out, even if it states no number or name', async () => {
    const files = {
      ...item,
      'inbox/2025-07-01-key/original.md': `${note} The hinges of the old garden gate creak terribly.\n`,
    };
    const filing = { ...entry, input: { ...(entry.input as object), content: `# 2025-07-14\n\n## ${note}` } };
    const { vault } = await answerWith([filing], { files });
    expect(everything(vault)).toContain('creak terribly');
  });

  it('is kept if the agent cites lines that say only a part of it', async () => {
    const files = { ...item, 'bucket/key.md': 'The landlady waters the plants.\n' };
    const said = 'Summary: vault/bucket/key.md:1 says it.';
    const { vault } = await answerWith([searching], { files, said });
    expect(everything(vault)).toContain(note);
  });

  it('is kept if it is from someone else and the agent calls it not worth keeping', async () => {
    const mail = `---\nsource: "email"\nsource_kind: other\n---\n\n${note}\n`;
    const files = { ...item, 'inbox/2025-07-01-key/original.md': mail };
    const said = 'Summary: nothing worth keeping: an advertisement.';
    const { vault } = await answerWith([searching], { files, said });
    expect(everything(vault)).toContain(note);
  });

  it.each([
    'No, it is about the house.',
    'Rien à voir avec le jardin, c’est la maison.',
    'Cancel the gym membership, that is what it was about.',
    'Drop the second line and keep the first.',
    'Should I drop it?',
  ])('is kept if the agent deletes it after the answer “%s”', async (text) => {
    const { vault } = await answerWith([deleting(`${inbox}/original.md`), entry], { text });
    expect(everything(vault)).toContain(note);
  });

  it('is kept if the answer that says to drop it is not from the user', async () => {
    const vault = await agentVault(item, { clock });
    vault.model.script({ calls: [deleting(`${inbox}/original.md`), entry] });
    vault.model.respond(() => ({ text: 'Summary: dropped.' }));
    await vault.file({ ...answer, text: 'Drop it.', source: { kind: 'other', name: 'client' } });
    expect(everything(vault)).toContain(note);
  });
});

describe('the answer itself', () => {
  const flat = { ...item, 'projects/flat/state.md': '# Flat\n' };
  const filing: Call[] = [
    searching,
    { tool: 'append', input: { path: 'vault/projects/flat/state.md', content: note, position: 'bottom' } },
    entry,
  ];

  it('is kept if it states a fact and the agent files only the item', async () => {
    const text = 'It is about the flat. Her plumber is called Kervella.';
    const { vault } = await answerWith(filing, { files: flat, text });
    expect(everything(vault)).toContain('Her plumber is called Kervella.');
  });

  it('is not filed if it only says where the item belongs', async () => {
    const text = 'It belongs to Flat.';
    const { vault, update } = await answerWith(filing, { files: flat, text });
    expect(update.result).toMatchObject({ receipt: { notFiled: [], keptAsReceived: [] } });
    expect(vault.model.requests).toHaveLength(2);
  });
});

describe('another file of an answered inbox item', () => {
  const files = { ...item, 'inbox/2025-07-01-key/minutes.md': `${minutes}\n` };

  it('is moved to the bucket if the agent deletes it', async () => {
    const { vault } = await answerWith([deleting(`${inbox}/`), entry], { files });
    expect(listInbox(vault)).toEqual([]);
    expect(vault.text('bucket/minutes.md')).toContain(minutes);
    expect(vault.text('bucket/2025-07-01-key.md')).toContain(note);
  });

  it('is dropped with the item if the user says so', async () => {
    const text = 'That was a wrong number. Throw it away, there is nothing to keep.';
    const { vault } = await answerWith([deleting(`${inbox}/`), entry], { files, text });
    expect(listInbox(vault)).toEqual([]);
    expect(everything(vault)).not.toContain(minutes);
    expect(everything(vault)).not.toContain(note);
  });
});

describe('an inbox item that the update does not answer', () => {
  it('is not deleted without approval', async () => {
    const vault = await agentVault(item, { clock });
    vault.model.script({ calls: [searching, deleting(`${inbox}/`), entry] });
    vault.model.respond(() => ({ text: 'Summary: done.' }));
    const { result } = await vault.file({ text: 'Buy milk.' });
    expect(result).toMatchObject({ kind: 'held', reason: { code: 'removes-unnamed' } });
    expect(everything(vault)).toContain(note);
  });
});
