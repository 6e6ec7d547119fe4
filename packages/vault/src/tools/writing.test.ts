import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { roomVault } from '../../../../test/room-vault.ts';
import type { RoomVault } from '../../../../test/room-vault.ts';
import { laidOut } from '../../../../test/temporary-vault.ts';
import type { Files } from '../../../../test/temporary-vault.ts';
import { computeRevision } from '../vault/index.ts';
import { appendTool } from './append.ts';
import { callAndCommit } from './commit.ts';
import { deleteTool } from './delete.ts';
import { tools } from './index.ts';

type Call = [tool: string, input: unknown];

/** Makes calls in one run; returns the texts of the results and a function that commits. */
async function run(vault: RoomVault, calls: Call[], reader: 'model' | 'person' = 'model') {
  const context = vault.writeRun(reader);
  const texts: string[] = [];
  for (const [name, input] of calls) {
    const outcome = await tools.find((tool) => tool.name === name)?.call(input, context);
    texts.push(outcome?.kind === 'result' ? outcome.result.text : (outcome?.message ?? ''));
  }
  return { texts, commit: () => context.transaction.commit({ origin: 'test', summary: 'test' }), context };
}

async function changed(
  files: Files,
  calls: Call[],
): Promise<{ vault: RoomVault; texts: string[]; file: (path: string) => string }> {
  const vault = await roomVault(files);
  const { texts, commit } = await run(vault, calls);
  expect((await commit()).kind).not.toBe('conflict');
  return { vault, texts, file: (path) => readFileSync(join(vault.folder, path), 'utf8') };
}

describe('transaction', () => {
  it('shows staged changes to every tool and writes nothing before the commit', async () => {
    const vault = await roomVault({ 'a.md': 'one\n', 'p/b.md': 'b\n', 'gone/x.md': 'x\n' });
    const { texts, commit } = await run(vault, [
      ['read', { paths: 'a.md' }],
      ['edit', { path: 'a.md', old: '1  | one', new: 'two' }],
      ['write', { path: 'p/new/c.md', content: 'c\n' }],
      ['delete', { path: 'gone/' }],
      ['move', { from: 'p/b.md', to: 'q/' }],
      ['read', { paths: ['a.md', 'p/', 'p/new/', 'q/b.md', 'gone/'] }],
      ['tree', { path: 'vault/' }],
    ]);
    expect(readFileSync(join(vault.folder, 'a.md'), 'utf8')).toBe('one\n');
    expect(texts[5]).toMatch(
      /\| two[\s\S]*```vault\/p\/\n```[\s\S]*p\/new\/c\.md[\s\S]*q\/b\.md\n1 {2}\| b\n[\s\S]*error: vault\/gone\/: folder not found/,
    );
    expect(texts[6]).toContain('c.md');
    expect(texts[6]).not.toContain('gone');
    expect(await commit()).toMatchObject({ kind: 'written', changes: { length: 6 } });
    expect(existsSync(join(vault.folder, 'gone'))).toBe(false);
    expect(readdirSync(join(vault.folder, 'q'))).toEqual(['b.md']);
    expect(readFileSync(join(vault.folder, 'q/b.md'), 'utf8')).toBe('b\n');
  });

  it('merges with a concurrent edit and returns the conflicting lines if it cannot', async () => {
    const vault = await roomVault({ ...laidOut, 'a.md': 'one\ntwo\nthree\nfour\nfive\n', 'b.md': 'b\n' });
    const edit: Call[] = [
      ['read', { paths: ['a.md', 'b.md'] }],
      ['edit', { path: 'a.md', old: '1  | one', new: 'ONE' }],
      ['edit', { path: 'b.md', old: '1  | b', new: 'B' }],
    ];
    const merging = await run(vault, edit);
    writeFileSync(join(vault.folder, 'a.md'), 'one\ntwo\nthree\nfour\nFIVE\n');
    expect((await merging.commit()).kind).toBe('written');
    expect(readFileSync(join(vault.folder, 'a.md'), 'utf8')).toMatch(
      /^---\n[\s\S]*---\n\nONE\ntwo\nthree\nfour\nFIVE\n$/,
    );

    const conflicting = await run(vault, [
      ['read', { paths: ['a.md', 'b.md'] }],
      ['edit', { path: 'a.md', old: 'ONE', new: 'agent' }],
      ['edit', { path: 'b.md', old: 'B', new: 'agent' }],
    ]);
    writeFileSync(join(vault.folder, 'a.md'), 'person\ntwo\n');
    const before = readFileSync(join(vault.folder, 'b.md'), 'utf8');
    expect(await conflicting.commit()).toMatchObject({
      kind: 'conflict',
      files: [{ path: 'vault/a.md', conflicts: [{ current: expect.arrayContaining(['person\n']) }] }],
    });
    expect(readFileSync(join(vault.folder, 'a.md'), 'utf8')).toBe('person\ntwo\n');
    expect(readFileSync(join(vault.folder, 'b.md'), 'utf8')).toBe(before);
  });

  it.each([
    ['with an empty line', '\n'],
    ['without', ''],
  ])('merges an edit of the first line with stamps added concurrently, %s', async (_, gap) => {
    const vault = await roomVault({ 'a.md': 'one\ntwo\n' });
    const { commit } = await run(vault, [
      ['read', { paths: 'a.md' }],
      ['edit', { path: 'a.md', old: '1  | one', new: 'ONE' }],
    ]);
    const file = join(vault.folder, 'a.md');
    writeFileSync(file, `---\nupdated: 2025-07-14T18:30:00\ntokens: 2\n---\n${gap}one\ntwo\n`);
    expect((await commit()).kind).toBe('written');
    expect(readFileSync(file, 'utf8')).toMatch(/^---\n[^]*?---\n\n?ONE\ntwo\n$/);
  });

  it('conflicts if another program has created a file that it creates, or changed a file that it deletes', async () => {
    const vault = await roomVault({ 'a.md': 'a\n', 'b.md': 'b\n' });
    const { commit } = await run(vault, [
      ['write', { path: 'new.md', content: 'x' }],
      ['read', { paths: 'a.md' }],
      ['write', { path: 'a.md', content: 'x' }],
      ['delete', { path: 'b.md' }],
    ]);
    writeFileSync(join(vault.folder, 'new.md'), 'theirs');
    writeFileSync(join(vault.folder, 'b.md'), 'theirs');
    const written = await commit();
    expect(
      written.kind === 'conflict' ? written.files.map(({ path, reason }) => `${path}: ${reason}`) : [],
    ).toEqual([
      'vault/new.md: a file with this name already exists',
      'vault/b.md: it was changed in the meantime, so it was not deleted',
    ]);
    expect(readdirSync(vault.folder).toSorted()).toEqual(['.keepsake', 'a.md', 'b.md', 'new.md']);
  });

  it('moves binary files unchanged, but not to another extension', async () => {
    const { texts, file } = await changed({ 'a/shot.PNG': 'png', 'b/x.csv': '1,2', 'b/y.md': 'y\n' }, [
      ['move', { from: 'a/shot.PNG', to: 'c/plan.png' }],
      ['move', { from: 'b/', to: 'd/' }],
      ['move', { from: 'c/plan.png', to: 'c/run.sh' }],
      ['move', { from: 'd/y.md', to: 'd/y.html' }],
    ]);
    expect([file('c/plan.png'), file('d/x.csv')]).toEqual(['png', '1,2']);
    expect(texts.slice(2)).toEqual([
      'error: vault/c/run.sh: only markdown files can be written; use a name ending in .md',
      'error: vault/d/y.html: only markdown files can be written; use a name ending in .md',
    ]);
  });

  it('shows a moved folder at its old path with only the file that was moved back there', async () => {
    const vault = await roomVault({ 'p/a.md': 'a\n', 'p/sub/b.md': 'b\n' });
    const moving: Call[] = [['move', { from: 'p', to: 'q' }]];
    const back: Call[] = [['move', { from: 'q/a.md', to: 'p/a.md' }]];
    const look: Call[] = [
      ['tree', { path: 'vault/' }],
      ['read', { paths: ['p/a.md', 'p/'] }],
    ];
    const { texts, commit } = await run(vault, [...moving, look[0] as Call, ...back, ...look]);
    expect(texts[1]).not.toContain('p/');
    expect(texts[3]).toMatch(/p\/[^]*a\.md/);
    expect(texts[3]).not.toMatch(/p\/[^]*sub\/[^]*q\//);
    expect(texts[4]).toMatch(/vault\/p\/a\.md\n1 {2}\| a\n/);
    expect(texts[4]).not.toContain('error');
    expect((await commit()).kind).toBe('written');
    expect(readdirSync(vault.folder, { recursive: true })).toEqual(
      expect.arrayContaining(['p', 'p/a.md', 'q', 'q/sub', 'q/sub/b.md']),
    );
    expect(existsSync(join(vault.folder, 'p/sub'))).toBe(false);
  });

  it('undoes a failed call completely', async () => {
    const { vault } = await changed({ 'f/a.md': 'a\n', 'tasks.md': 't\n' }, [
      ['move', { from: 'f/', to: 'g/CON/' }],
      ['delete', { path: 'tasks.md' }],
    ]);
    expect(existsSync(join(vault.folder, 'f/a.md'))).toBe(true);
  });

  it('adds stamps, and reports line numbers that include them', async () => {
    const { texts, file } = await changed(
      { ...laidOut, 'a.md': '---\ndate: 2025-07-14\n---\n\none\ntwo\n' },
      [
        ['read', { paths: 'a.md' }],
        ['edit', { path: 'a.md', old: '6  | two', new: 'TWO' }],
      ],
    );
    expect(texts[1]).toContain('9  | TWO');
    expect(file('a.md').split('\n')[8]).toBe('TWO');
    expect(file('a.md')).toMatch(
      /^---\ncreated: 2025-07-14T00:00:00\nupdated: .*\ntokens: 3\ndate: 2025-07-14\n---\n\none\nTWO\n$/,
    );
  });

  it('initializes a new folder with the first write', async () => {
    const { file } = await changed({ 'a.md': 'a\n' }, [['write', { path: 'b.md', content: 'b\n' }]]);
    expect(JSON.parse(file('.keepsake/vault.json'))).toMatchObject({
      version: 1,
      upkeep: { frontmatter: 'own' },
    });
    expect(file('a.md')).toBe('a\n');
  });
});

describe('write policy', () => {
  it.each<[string, Call]>([
    ['tree.md', ['write', { path: 'tree.md', content: 'x' }]],
    ['a file that is not markdown', ['write', { path: 'a.sh', content: 'x' }]],
    ['a name that Windows cannot hold', ['write', { path: 'a:b.md', content: 'x' }]],
    ['a device name', ['write', { path: 'con.md', content: 'x' }]],
    ['a root file, deleted', ['delete', { path: 'profile.md' }]],
    ['a root file, moved', ['move', { from: 'profile.md', to: 'p.md' }]],
    ['a root folder', ['delete', { path: 'projects/' }]],
    ['the vault', ['delete', { path: 'vault/' }]],
    ['a folder into itself', ['move', { from: 'f', to: 'f/g' }]],
    ['over another file', ['move', { from: 'f/a.md', to: 'profile.md' }]],
    ['below a file', ['write', { path: 'profile.md/x.md', content: 'x' }]],
    ['append to nothing', ['append', { path: 'nope.md', content: 'x', position: 'top' }]],
    ['an unread file', ['write', { path: 'profile.md', content: 'x' }]],
    ['an edit of an unread file', ['edit', { path: 'profile.md', old: 'p', new: 'x' }]],
  ])('rejects: %s', async (_, call) => {
    const vault = await roomVault({ 'profile.md': 'p\n', 'f/a.md': 'a\n', 'projects/x.md': 'x\n' });
    const before = snapshot(vault.folder);
    const { texts, commit } = await run(vault, [call]);
    const written = await commit();
    expect(`${texts[0]} ${written.kind === 'conflict' ? 'error: ' : ''}`).toMatch(/error: /);
    expect(snapshot(vault.folder)).toEqual(before);
  });

  it('holds a large removal by a model for approval', async () => {
    const files = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`inbox/x/${i}.md`, `${i}\n`]));
    const vault = await roomVault({ ...files, 'long.md': 'line\n'.repeat(120) });
    const { context } = await run(vault, []);
    const outcome = await callAndCommit(deleteTool, { path: 'inbox/x' }, context, { origin: 'test' });
    const text = outcome.kind === 'result' ? outcome.result.text : '';
    expect(text).toMatch(
      /held for approval, nothing written: this deletes 11 files\. To approve: keepsake approve /,
    );
    expect(existsSync(join(vault.folder, 'inbox/x/3.md'))).toBe(true);
    const id = text.split(' ').at(-1) ?? '';
    writeFileSync(join(vault.folder, 'inbox/x/new.md'), 'came later\n');
    expect(await vault.changes.approve(id.slice(0, 8))).toMatchObject({ kind: 'written' });
    expect(readdirSync(join(vault.folder, 'inbox/x'))).toEqual(['new.md']);
    expect(await vault.changes.approve(id)).toMatchObject({
      kind: 'not-applied',
      state: 'approved',
    });
    const gutting = await run(vault, [
      ['read', { paths: 'long.md' }],
      ['write', { path: 'long.md', content: 'short\n', replace: true }],
    ]);
    const held = await gutting.commit();
    expect(held).toMatchObject({
      kind: 'held',
      reason: { code: 'removes-half', values: { path: 'vault/long.md' } },
    });
    expect(await vault.changes.reject(held.kind === 'held' ? held.id : '')).toBe(true);
    expect(readFileSync(join(vault.folder, 'long.md'), 'utf8')).toHaveLength(600);
  });

  it('requires a person to confirm a large removal, but not a move', async () => {
    const files = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`f/${i}.md`, `${i}\n`]));
    const vault = await roomVault(files);
    const deleting = await run(vault, [['delete', { path: 'f' }]], 'person');
    expect(await deleting.commit()).toMatchObject({
      kind: 'needs-confirmation',
      reason: { text: 'this deletes 11 files' },
    });
    expect((await (await run(vault, [['move', { from: 'f', to: 'g' }]])).commit()).kind).toBe('written');
    mkdirSync(join(vault.folder, 'empty'));
    expect((await (await run(vault, [['delete', { path: 'empty/' }]])).commit()).kind).toBe('written');
    expect(existsSync(join(vault.folder, 'empty'))).toBe(false);
  });
});

function snapshot(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.parentPath.includes('.keepsake'),
  );
  return Object.fromEntries(
    entries.map((entry) => [
      join(entry.parentPath, entry.name),
      readFileSync(join(entry.parentPath, entry.name), 'utf8'),
    ]),
  );
}

it('concurrent appends to one file lose no line', async () => {
  const vault = await roomVault({ 'log.md': '# Log\n' });
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, number) =>
      vault.callTool({
        tool: 'append',
        input: { path: 'log.md', content: `line ${number}.`, position: 'bottom' },
        reader: 'model',
        origin: 'test',
      }),
    ),
  );
  expect(outcomes.every((each) => each.kind === 'result' && each.result.value.errors.length === 0)).toBe(
    true,
  );
  const text = readFileSync(join(vault.folder, 'log.md'), 'utf8');
  for (let number = 0; number < 20; number += 1) expect(text.split(`line ${number}.`)).toHaveLength(2);
});

it('an append is retried on the new content after a concurrent write', async () => {
  const vault = await roomVault({ 'log.md': '# Log\n' });
  const own = vault.writeRun('model');
  let isDisturbed = false;
  const disturbed = {
    ...own,
    transaction: {
      ...own.transaction,
      commit: (...args: Parameters<typeof own.transaction.commit>) => {
        if (!isDisturbed) writeFileSync(join(vault.folder, 'log.md'), '# Log\n\nanother program\n');
        isDisturbed = true;
        return own.transaction.commit(...args);
      },
    },
  };
  const input = { path: 'log.md', content: 'us', position: 'bottom' };
  const outcome = await callAndCommit(appendTool, input, disturbed, { origin: 'test' });
  expect(outcome).toMatchObject({ kind: 'result', result: { value: { errors: [] } } });
  expect(readFileSync(join(vault.folder, 'log.md'), 'utf8')).toMatch(/another program\n\nus\n$/);
});

describe('call with an expected revision', () => {
  const deletion = { tool: 'delete', input: { path: 'a.md' }, reader: 'person', origin: 'test' } as const;
  const revision = (text: string): string => computeRevision(Buffer.from(text));

  it('is applied when the file has that revision', async () => {
    const vault = await roomVault({ 'a.md': 'one\n' });
    const outcome = await vault.callTool({ ...deletion, ifRevision: revision('one\n') });
    expect(outcome).toMatchObject({ commit: { kind: 'applied' } });
    expect(existsSync(join(vault.folder, 'a.md'))).toBe(false);
  });

  it('changes nothing when the file has another revision', async () => {
    const vault = await roomVault({ 'a.md': 'two\n' });
    const outcome = await vault.callTool({ ...deletion, ifRevision: revision('one\n') });
    expect(outcome).toMatchObject({ commit: { kind: 'failed', code: 'conflict', hint: 'read it again' } });
    expect(readFileSync(join(vault.folder, 'a.md'), 'utf8')).toBe('two\n');
  });

  it('changes nothing when the path is now a folder', async () => {
    const vault = await roomVault({ 'a.md/b.md': 'one\n' });
    const outcome = await vault.callTool({ ...deletion, ifRevision: revision('one\n') });
    expect(outcome).toMatchObject({ commit: { kind: 'failed', code: 'conflict' } });
    expect(existsSync(join(vault.folder, 'a.md/b.md'))).toBe(true);
  });
});

describe('text that cannot be stored', () => {
  const pieces = { 'a lone surrogate': 'a\ud83cb', 'a NUL character': 'a\0b' };

  it.each(Object.entries(pieces))('is rejected with a reason: %s', async (_, content) => {
    const vault = await roomVault({ 'a.md': 'one\n' });
    const { texts, commit } = await run(vault, [
      ['read', { paths: 'a.md' }],
      ['write', { path: 'b.md', content }],
      ['append', { path: 'a.md', content, position: 'bottom' }],
      ['edit', { path: 'a.md', old: 'one', new: content }],
    ]);
    expect(texts.slice(1)).toEqual([
      expect.stringMatching(/^error: write\.content: has .*remove it$/),
      expect.stringMatching(/^error: append\.content: has .*remove it$/),
      expect.stringMatching(/^error: edit\.new: has .*remove it$/),
    ]);
    expect((await commit()).kind).toBe('unchanged');
  });
});

describe('edit of lines copied from the read tool', () => {
  it.each([
    [
      'a byte order mark',
      '\ufeff---\ntype: mail\n---\nbody\n',
      '1  | ---\n2  | type: mail',
      '---\ntype: letter',
    ],
    ['decomposed accents', '---\nx: 1\n---\ncafe\u0301\n', '4  | caf\u00e9', 'th\u00e9'],
  ])('changes a file with %s', async (_, content, old, replacement) => {
    const { texts, file } = await changed({ 'a.md': content }, [
      ['read', { paths: 'a.md' }],
      ['edit', { path: 'a.md', old, new: replacement }],
    ]);
    expect(texts[1]).toMatch(/^edited vault\/a\.md\n/);
    expect(file('a.md')).toContain(replacement.split('\n').at(-1));
    expect(file('a.md').startsWith('\ufeff')).toBe(content.startsWith('\ufeff'));
  });

  it('reports stripped line numbers and rejects numbers that may be text', async () => {
    const { texts } = await changed({ 'a.md': 'one\ntwo\n' }, [
      ['read', { paths: 'a.md' }],
      ['edit', { path: 'a.md', old: '1  | one', new: '1  | ONE\n2  | more' }],
      ['edit', { path: 'a.md', old: '1  | one', new: '1  | ONE' }],
    ]);
    expect(texts[1]).toMatch(/^error: vault\/a\.md: new seems to contain line numbers/);
    expect(texts[2]).toMatch(/^edited vault\/a\.md; line numbers in new were removed\n/);
  });

  it('shows the current lines when numbered lines do not match', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`).join('');
    const { texts } = await changed({ 'a.md': lines }, [
      ['read', { paths: 'a.md' }],
      ['edit', { path: 'a.md', old: '21 | line 21\n20 | line 20', new: 'x' }],
      ['edit', { path: 'a.md', old: 'Berlin', new: 'x' }],
    ]);
    expect(texts[1]).toMatch(/current lines:\n\n```vault\/a\.md \(lines 17-24\)/);
    expect(texts[2]).toBe(
      'error: vault/a.md: old does not match the file; read it and copy the lines exactly as shown',
    );
  });
});
