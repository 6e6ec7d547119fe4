import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Turn } from '../scripted-model/server.ts';
import { layOut } from '../temporary-vault.ts';
import { agentVault, anInput } from './agent-vault.ts';

const now = (): number => new Date(2025, 6, 14, 18, 30).getTime();
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const write = (path: string, content: string) => ({ tool: 'write', input: { path, content } });
const append = (path: string, content: string) => ({
  tool: 'append',
  input: { path, content, position: 'top' },
});
const entry = append('vault/changelog.md', '# 2025-07-14\n\n## Something\nIt happened.');
const done: Turn = { text: 'Filed it.' };
const entries = (text: string | null): string[] => text?.match(/^## .*/gm) ?? [];

describe('the changelog entry of an update', () => {
  it('is requested from the agent if the agent forgot it', async () => {
    const { model, file, text } = await agentVault({}, { clock: now });
    model.answerRepairs();
    model.script({ calls: [write('vault/bucket/a.md', 'x\n')] }, done, { calls: [entry] }, done);
    await file({ text: 'x' });
    expect(model.requests[2]?.userTexts.at(-1)).toContain('exactly one entry to vault/changelog.md');
    expect(entries(text('changelog.md'))).toEqual(['## Something']);
  });

  it('is written by code if the agent forgets it twice', async () => {
    const { model, file, text } = await agentVault({}, { clock: now });
    model.script({ calls: [write('vault/bucket/a.md', 'x\n')] }, done, done);
    await file({ text: 'x' });
    expect(text('changelog.md')).toContain('# 2025-07-14\n\n## Filed it.\n- vault/bucket/a.md\n');
  });

  it('is added under the existing heading of the day, whether the agent or code writes it', async () => {
    const { model, file, text } = await agentVault(
      { 'changelog.md': '# 2025-07-14\n\n## Before\n' },
      { clock: now },
    );
    model.script({ calls: [entry] }, done);
    await file({ text: 'x' });
    model.script({ calls: [write('vault/bucket/a.md', 'x\n')] }, done, done);
    await file({ text: 'y' });
    expect(text('changelog.md')?.match(/^#+ .*/gm)).toEqual([
      '# 2025-07-14',
      '## Filed it.',
      '## Something',
      '## Before',
    ]);
  });

  it('combines all entries if the agent writes several', async () => {
    const { model, file, text } = await agentVault(
      { 'changelog.md': '# 2025-07-01\n\n## Before\n\n```\n## no entry\n```\n' },
      { clock: now },
    );
    model.script({ calls: [entry, append('vault/changelog.md', '# 2025-07-14\n\n## More')] }, done, done);
    await file({ text: 'x' });
    expect(text('changelog.md')?.match(/^##+ .*/gm)).toEqual([
      '## More',
      '### Something',
      '## Before',
      '## no entry',
    ]);
  });

  it('is written even if the changelog was deleted', async () => {
    const { model, file, text, folder } = await agentVault({}, { clock: now });
    for (const name of ['changelog.md', 'overview.md']) rmSync(join(folder, name));
    model.script({ calls: [write('vault/bucket/a.md', 'x\n')] }, done, done);
    await file({ text: 'x' });
    expect(entries(text('changelog.md'))).toEqual(['## Filed it.']);
    expect(text('overview.md')).toContain('2025-07-14 · inbox: 0');
  });

  it('is omitted if nothing was changed', async () => {
    const note = { 'bucket/note.md': '# Note\n\nThe key lies under the pot.\n' };
    const { model, file, text, events } = await agentVault(note, { clock: now });
    const before = text('changelog.md');
    const known = 'It is known already: vault/bucket/note.md:3';
    model.script({ calls: [{ tool: 'read', input: { paths: 'bucket/note.md' } }] }, { text: known });
    const { result } = await file({ text: 'The key is under the pot' });
    expect(result).toEqual({ kind: 'unchanged', summary: known, known: ['vault/bucket/note.md:3'] });
    expect(text('changelog.md')).toBe(before);
    expect(events.map(({ type }) => type)).not.toContain('file-changed');
  });
});

it('the update agent is told which standard files are missing in an adopted vault, and that the user has their own folders', async () => {
  const { model, file } = await agentVault({}, { clock: now, isAdopted: true });
  model.script({ calls: [write('vault/note-2.md', 'x\n')] }, done, done);
  await file({ text: 'x' });
  expect(model.requests[0]?.userTexts.join('\n')).toContain(
    'This vault has no vault/overview.md, no vault/profile.md, no vault/changelog.md, no vault/projects/. Do not create what is missing.',
  );
  const laidOut = await agentVault({}, { clock: now });
  laidOut.model.script({ calls: [write('vault/bucket/a.md', 'x\n')] }, done, done);
  await laidOut.file({ text: 'x' });
  expect(laidOut.model.requests[0]?.userTexts.join('\n')).not.toContain('This vault has no');
});

it('the update agent is given the pages for people with their names, wherever an adopted vault has them', async () => {
  const firstMessage = async (files: Record<string, string>) => {
    const { model, file } = await agentVault(files, { clock: now, isAdopted: true });
    model.script({ calls: [write('vault/note-2.md', 'x\n')] }, done, done);
    await file({ text: 'x' });
    return model.requests[0]?.userTexts.join('\n');
  };
  const page = '---\naliases: [Maman]\n---\n\n# Soizic Le Gall\n';
  expect(await firstMessage({ '30 People/soizic.md': page })).toContain(
    'Pages for people, in vault/30 People/:\n\n- vault/30 People/soizic.md: Soizic Le Gall (Maman)\n',
  );
  expect(await firstMessage({ 'Personnes/photo.txt': 'x' })).toContain(
    'Pages for people are in vault/Personnes/.',
  );
  expect(await firstMessage({ 'notes/soizic.md': page })).not.toContain('Pages for people');
});

describe('the input', () => {
  it('is shown to the agent with its images, which the agent can move', async () => {
    const { model, file, text, folder } = await agentVault({}, { clock: now });
    const from = 'vault/inbox/2025-07-14-the-plan-4346/plan-of-the-flat.png';
    const to = 'vault/projects/flat/bucket/plan.png';
    model.script({ calls: [{ tool: 'move', input: { from, to } }, entry] }, done);
    const { result } = await file({
      text: 'The plan',
      files: [{ name: 'plan of the flat.PNG', bytes: png }],
    });
    expect(model.requests[0]?.images).toEqual({ inToolResults: 0, inUserMessages: 1 });
    expect(model.requests[0]?.userTexts.join('\n')).toContain(`[image ${from} · png · 1×1]`);
    expect(result).toMatchObject({ kind: 'filed' });
    expect(readFileSync(join(folder, 'projects/flat/bucket/plan.png'))).toEqual(png);
    expect(readdirSync(join(folder, 'inbox'))).toEqual([]);
    expect(text('bucket/plan.png')).toBeNull();
  });

  it.each([
    ['Réunion à Orléans', '2025-07-14-reunion-a-orleans-3182'],
    ['Встреча', '2025-07-14-встреча-aa50'],
    ['…', '2025-07-14-note-d4f3'],
    [`${'a'.repeat(39)} b`, `2025-07-14-${'a'.repeat(39)}-2661`],
  ])('is stored in a folder named after it: %s', async (words, folder) => {
    const { model, file } = await agentVault({}, { clock: now });
    model.script({ calls: [entry] }, done);
    await file({ text: words });
    expect(model.requests[0]?.userTexts.join('\n')).toContain(`It is stored in vault/inbox/${folder}/.`);
  });

  it('is stored in a folder that no other machine creates for the same text on that day', async () => {
    const folders: string[] = [];
    for (const clock of [now, () => now() + 1_000]) {
      const { model, file } = await agentVault({}, { clock });
      model.script({ calls: [entry] }, done);
      await file({ text: 'Call the bank' });
      const [, folder = ''] =
        /It is stored in (vault\/inbox\/\S+)/.exec(model.requests[0]?.userTexts.join('\n') ?? '') ?? [];
      folders.push(folder);
    }
    expect(folders[0]).toMatch(/2025-07-14-call-the-bank-[\da-f]{4}\/\.$/);
    expect(folders[1]).not.toBe(folders[0]);
  });

  it('keeps the time at which it was received, however long it waited', async () => {
    let time = new Date(2025, 6, 11, 9, 15).getTime();
    const { model, keepsake, text } = await agentVault({}, { clock: () => time });
    const { id } = await keepsake.accept(anInput({ text: 'Call the bank tomorrow.' }));
    time = now();
    const review = 'vault/inbox/2025-07-14-call-the-bank-tomorrow-0cef/review.md';
    model.script({ calls: [write(review, 'Which bank?\n'), entry] }, done);
    await keepsake.agents.updates.work(id, new AbortController().signal, (error) => console.error(error));
    const shown = model.requests[0]?.userTexts.join('\n');
    expect(shown).toContain('Today is Monday 2025-07-14T18:30:00');
    expect(shown).toMatch(/\| received: 2025-07-11T09:15:00\n/);
    // For the agent that files it once the question is answered.
    expect(text('inbox/2025-07-14-call-the-bank-tomorrow-0cef/original.md')).toContain(
      'received: 2025-07-11T09:15:00\n',
    );
  });

  it('goes to the bucket if it is a file that the agent does not move', async () => {
    const { model, file, folder } = await agentVault({ 'bucket/a.png': 'other' }, { clock: now });
    model.script({ calls: [entry] }, done);
    await file({
      text: 'Something',
      files: [
        { name: 'a.png', bytes: png },
        { name: 'minutes.txt', bytes: Buffer.from('They said yes.\n') },
      ],
    });
    expect(readdirSync(join(folder, 'bucket')).toSorted()).toEqual(['a-2.png', 'a.png', 'minutes.md']);
    expect(readFileSync(join(folder, 'bucket/minutes.md'), 'utf8')).toContain('They said yes.\n');
    expect(readdirSync(join(folder, 'inbox'))).toEqual([]);
  });

  it('is stored next to the question, wherever in the inbox the agent asks it', async () => {
    const { model, file, folder } = await agentVault({}, { clock: now });
    model.script({ calls: [write('vault/inbox/2025-07-14-call/review.md', 'What is it?\n'), entry] }, done);
    const { result } = await file({ text: 'Hm', files: [{ name: 'a.png', bytes: png }] });
    expect(result).toMatchObject({ kind: 'filed', asked: '2025-07-14-call' });
    expect(readdirSync(join(folder, 'inbox'))).toEqual(['2025-07-14-call']);
    expect(readdirSync(join(folder, 'inbox/2025-07-14-call')).toSorted()).toEqual([
      'a.png',
      'original.md',
      'review.md',
    ]);
  });

  it.each([
    [{ text: ' ' }, 'the input is empty'],
    [{ files: [{ name: 'a.pdf', bytes: Buffer.alloc(3) }] }, 'a.pdf: unsupported file type'],
    [{ files: [{ name: 'a.png', bytes: Buffer.alloc(3) }] }, 'a.png: its name says image'],
    [{ files: [{ name: 'a.md', bytes: Buffer.alloc(4, 255) }] }, 'a.md: it is '],
    [{ text: 'x'.repeat(8_000_001) }, 'the text has 8000001 characters'],
  ])('is rejected and not queued if it cannot be filed (case %#)', async (input, reason) => {
    const { updates } = (await agentVault()).keepsake.agents;
    await expect(updates.accept(anInput(input))).rejects.toThrow(reason);
    expect(updates.list({ limit: 10 })).toEqual([]);
  });
});

describe('an inbox item', () => {
  const item = { 'inbox/2025-07-01-old/review.md': 'Which one?\n', 'inbox/2025-07-01-old/a.png': png };

  it('is removed when it is answered, and its images are kept', async () => {
    const { model, file, folder } = await agentVault(item, { clock: now });
    model.script({ calls: [entry] }, done);
    await file({ text: 'The first.', inboxRef: '2025-07-01-old' });
    expect(readdirSync(join(folder, 'inbox'))).toEqual([]);
    expect(readFileSync(join(folder, 'bucket/a.png'))).toEqual(png);
  });

  it('stays if the agent has to ask again', async () => {
    const { model, file, text, folder } = await agentVault(item, { clock: now });
    const path = 'vault/inbox/2025-07-01-old/review.md';
    model.script({ calls: [write(path, 'Which first?\n'), entry] }, done);
    const { result } = await file({ text: 'The first.', inboxRef: '2025-07-01-old' });
    expect(result).toMatchObject({ kind: 'filed', asked: '2025-07-01-old' });
    expect(text('inbox/2025-07-01-old/review.md')).toContain('Which first?');
    expect(readdirSync(join(folder, 'inbox/2025-07-01-old')).toSorted()).toEqual([
      'a.png',
      'original.md',
      'review.md',
    ]);
  });

  it.each(['gone', '..', 'a/b', ''])('parks the update if it does not exist: %j', async (inboxRef) => {
    const { file } = await agentVault();
    expect(await file({ text: 'x', inboxRef })).toMatchObject({
      state: 'parked',
      reason: { text: `inbox item ${inboxRef} not found or hidden from AI; run keepsake inbox` },
    });
  });
});

describe('concurrent edits of the same lines', () => {
  const path = 'vault/projects/x/state.md';
  const edit = (old: string, replacement: string): Turn => ({
    calls: [
      { tool: 'read', input: { paths: path } },
      { tool: 'edit', input: { path, old, new: replacement } },
    ],
  });

  it('are shown to the agent, which applies its change to them', async () => {
    const { model, file, text, folder } = await agentVault(
      { 'projects/x/state.md': 'a\nb\nc\n' },
      { clock: now },
    );
    model.respond((request, index) => {
      if (index === 0) return edit('b', 'B');
      if (index === 1) return { calls: [entry] };
      if (index === 2) {
        layOut(folder, { 'projects/x/state.md': 'a\nb, says the person\nc\n' });
        return done;
      }
      if (index === 3) {
        expect(request.userTexts.at(-1)).toContain('Someone else changed vault/projects/x/state.md');
        expect(request.userTexts.at(-1)).toContain('| b, says the person');
        return edit('b, says the person', 'B, says the person');
      }
      return done;
    });
    expect(await file({ text: 'B is right' })).toMatchObject({ state: 'done', attempts: 1 });
    expect(text('projects/x/state.md')).toContain('a\nB, says the person\nc\n');
    expect(entries(text('changelog.md'))).toEqual(['## Something']);
  });

  it('cause an inbox item with both versions and the input if they keep happening', async () => {
    const { model, file, text, folder } = await agentVault(
      { 'projects/x/state.md': 'a\nb\nc\n' },
      { clock: now },
    );
    let version = 0;
    model.answerRepairs();
    // The model edits, finishes, is asked for its entry, and gets a conflict every time it finishes again.
    model.respond((_, index) => {
      if (index === 0) return edit('b', 'B');
      if (index % 2 === 1) return index === 1 ? done : edit(`b${version}`, 'B');
      version += 1;
      layOut(folder, { 'projects/x/state.md': `a\nb${version}\nc\n` });
      return done;
    });
    const { result, attempts } = await file({ text: 'B is right' });
    expect(attempts).toBe(1);
    expect(result).toMatchObject({ kind: 'filed', asked: '2025-07-14-b-is-right-e541' });
    expect(text('projects/x/state.md')).toBe(`a\nb${version}\nc\n`);
    const review = text('inbox/2025-07-14-b-is-right-e541/review.md');
    expect(review).toContain(`Current version:\n\n> b${version}`);
    expect(review).toContain('Proposed version:\n\n> B');
    expect(text('inbox/2025-07-14-b-is-right-e541/original.md')).toContain('B is right');
    // A failure is no event of the user's life.
    expect(entries(text('changelog.md') ?? '')).toEqual([]);
  });
});

describe('a failing model', () => {
  it.each([
    [
      'a wrong key',
      { fault: 'status', status: 401, body: '{"error":{"message":"no"}}' },
      'check the API key',
    ],
    ['an unknown model', { fault: 'status', status: 404 }, 'check the URL'],
  ] as const)('parks the update immediately and says what to do: %s', async (_, fault, word) => {
    const { model, file } = await agentVault();
    model.script(fault);
    const { state, reason, attempts } = await file({ text: 'x' });
    expect({ state, attempts }).toEqual({ state: 'parked', attempts: 1 });
    expect(reason?.text).toContain(word);
  });

  it('leaves nothing behind if its response is interrupted, and the update is retried', async () => {
    let time = now();
    const { model, keepsake, text } = await agentVault({}, { clock: () => time });
    const { updates } = keepsake.agents;
    const before = text('changelog.md');
    model.script({ calls: [entry] }, { fault: 'cut', after: 40 });
    const { id } = await updates.accept({ text: 'x', files: [], source: { kind: 'person', name: 'test' } });
    const runner = updates.start(() => undefined);
    await expect.poll(() => updates.find(id)?.reason?.text).toMatch(/cannot reach|stopped in the middle/);
    expect(text('changelog.md')).toBe(before);
    expect(updates.find(id)?.state).toBe('waiting');
    model.script({ calls: [entry] }, done);
    time += 60_000;
    runner.wake();
    await expect.poll(() => updates.find(id)?.state).toBe('done');
    await runner.stop();
    expect(entries(text('changelog.md'))).toEqual(['## Something']);
  });
});
