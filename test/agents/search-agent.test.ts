import { describe, expect, it } from 'vitest';
import { answer as answerSchema } from '../../packages/vault/src/contract/index.ts';
import type { Turn } from '../scripted-model/server.ts';
import { layOut } from '../temporary-vault.ts';
import { agentVault, anEntry, looking } from './agent-vault.ts';

const files = { 'notes.md': '# Notes\none\ntwo\nthree\n' };
const signal = new AbortController().signal;
const overview = 'First line.\nSecond line.';
const rule = '\n\n---\n\n';

const read: Turn = { calls: [{ tool: 'read', input: { paths: 'vault/notes.md' } }] };

function concat(path: string, lines: string | null, text = ''): Turn {
  return { ...concatOf({ path, lines }), text };
}

function concatOf(...asked: { path: string; lines?: string | null }[]): Turn {
  return { text: overview, calls: [{ tool: 'concat', input: { files: asked } }] };
}

async function ask(...turns: Turn[]) {
  const vault = await agentVault(files);
  vault.model.script(...turns);
  const answered = await vault.keepsake.agents.ask('What is there?', signal);
  return { ...vault, answer: answerSchema.parse(answered) };
}

describe('the answer', () => {
  it('is the overview, a rule and the blocks, and nothing else', async () => {
    const { answer } = await ask(concat('vault/notes.md', '2-3', overview));
    expect(answer.document).toBe(
      `${overview}${rule}\`\`\`vault/notes.md (lines 2-3)\n2  | one\n3  | two\n\`\`\``,
    );
    expect(answer.blocks).toEqual([
      {
        path: 'vault/notes.md',
        start: 2,
        end: 3,
        text: 'one\ntwo',
        revision: expect.stringMatching(/^\w+$/),
      },
    ]);
  });

  it('is the overview when nothing was found, and code says that nothing was cited', async () => {
    const { answer } = await ask(looking, { text: 'Nothing about it.\nI looked in the notes.' });
    expect(answer).toEqual({
      overview: 'Nothing about it.\nI looked in the notes.',
      blocks: [],
      isCited: false,
      notes: [],
      document: 'Nothing about it.\nI looked in the notes.\n\nnote: nothing in the vault was cited',
    });
  });
});

describe('the model is asked once', () => {
  it('for an overview that is missing', async () => {
    const { answer, model } = await ask(concat('vault/notes.md', '2-2'), { text: overview });
    expect(model.requests[1]?.userTexts.at(-1)).toContain('The overview is missing');
    expect(answer.document).toBe(`${overview}${rule}\`\`\`vault/notes.md (lines 2-2)\n2  | one\n\`\`\``);
  });

  it('for one of another length, and what it says then is kept', async () => {
    const { answer, model } = await ask(concat('vault/notes.md', '2-2', 'One line.'), {
      text: 'Still one line.',
    });
    expect(model.requests).toHaveLength(2);
    expect(answer.overview).toBe('Still one line.');
    expect(answer.blocks).toHaveLength(1);
  });
});

describe('what concat could not do goes back to the model', () => {
  it('a path that is wrong', async () => {
    const { answer, model } = await ask(
      concat('vault/note.md', null, overview),
      concat('vault/notes.md', '4-4', overview),
    );
    expect(model.requests[1]?.toolResults.at(-1)?.text).toContain('closest: vault/notes.md');
    expect(answer.blocks).toMatchObject([{ start: 4, end: 4, text: 'three' }]);
  });

  it('and if it only says the same again, the lines that were found stay', async () => {
    const both = concatOf({ path: 'vault/notes.md', lines: '2-2' }, { path: 'vault/gone.md' });
    const { answer } = await ask(both, { text: overview });
    expect(answer).toMatchObject({
      isCited: true,
      blocks: [{ text: 'one' }],
      notes: [expect.stringContaining('gone.md')],
    });
  });

  it('and if that does not help, what was found is in the answer, with what was not', async () => {
    const both = concatOf({ path: 'vault/notes.md', lines: '2-2' }, { path: 'vault/gone.md' });
    const { answer, keepsake } = await ask(both, both, both, both);
    const error = 'error: vault/gone.md: no such file; call tree to see what there is';
    expect(answer.document).toBe(
      `${overview}${rule}\`\`\`vault/notes.md (lines 2-2)\n2  | one\n\`\`\`\n\n${error}`,
    );
    expect(answer).toMatchObject({ isCited: true, notes: [error] });
    expect(await keepsake.verify(answer.document)).toMatchObject([{ path: 'vault/notes.md', state: 'same' }]);
  });

  it('what is too long for one answer, and if it insists, what was left out is named below the lines', async () => {
    const vault = await agentVault({ ...files, 'long.md': 'Some words.\n'.repeat(9_000) });
    const both = concatOf({ path: 'vault/long.md' }, { path: 'vault/notes.md' });
    vault.model.respond(() => both);
    const { document, notes, blocks } = await vault.keepsake.agents.ask('What is there?', signal);
    expect(vault.model.requests[1]?.userTexts.at(-1)).toContain('more than fits into one answer');
    expect(blocks.map(({ path }) => path)).toEqual(['vault/long.md']);
    expect(notes).toEqual([
      expect.stringMatching(
        /^note: left out, too long for one answer: vault\/long\.md:\d+-9000, vault\/notes\.md$/,
      ),
    ]);
    expect(document.endsWith(`\n\`\`\`\n\n${notes[0]}`)).toBe(true);
    expect(await vault.keepsake.verify(document)).toMatchObject([{ path: 'vault/long.md', state: 'same' }]);
  });

  it('of several calls in one step the notes of all stand below the lines of all', async () => {
    const calls = [
      {
        tool: 'concat',
        input: { files: [{ path: 'vault/gone.md' }, { path: 'vault/notes.md', lines: '2-2' }] },
      },
      { tool: 'concat', input: { files: 'all' } },
      { tool: 'concat', input: { files: [{ path: 'vault/notes.md', lines: '4-4' }] } },
    ];
    const vault = await agentVault(files);
    vault.model.respond(() => ({ text: overview, calls }));
    const { document, blocks } = await vault.keepsake.agents.ask('What is there?', signal);
    expect(blocks.map(({ text }) => text)).toEqual(['one', 'three']);
    expect(document).toMatch(/4 {2}\| three\n```\n\nerror: vault\/gone\.md: .*\nerror: concat\.files: .*$/);
  });

  it('lines that are gone since the model had read them, as often as it asks for them', async () => {
    const vault = await agentVault(files);
    vault.model.respond((request, index) => {
      if (index === 0) return read;
      if (index === 1) layOut(vault.folder, { 'notes.md': '# Notes\nunrelated\ntwo\nthree\n' });
      else
        expect(request.toolResults.at(-1)?.text).toMatch(
          /it changed after these lines were shown.*read it again/,
        );
      return concat('vault/notes.md', index < 3 ? '2-2' : '3-3', overview);
    });
    const { blocks } = await vault.keepsake.agents.ask('What is there?', signal);
    expect(vault.model.requests).toHaveLength(4);
    expect(blocks).toMatchObject([{ start: 3, end: 3, text: 'two' }]);
  });
});

it('lines that moved since the model had read them are taken from where they are now', async () => {
  const vault = await agentVault(files);
  vault.model.respond((_, index) => {
    if (index === 0) return read;
    layOut(vault.folder, { 'notes.md': '# Notes\nzero\none\ntwo\nthree\n' });
    return concat('vault/notes.md', '2-2', overview);
  });
  const { blocks } = await vault.keepsake.agents.ask('What is there?', signal);
  expect(vault.model.requests).toHaveLength(2);
  expect(blocks).toMatchObject([{ start: 3, end: 3, text: 'one' }]);
});

describe('a run ends', () => {
  it.each([
    ['steps', 'limits:\n  steps: 3', 'it needed more than 3 steps'],
    ['tokens', 'limits:\n  tokens: 500', 'it needed more than 500 tokens'],
    [
      'the money of a day',
      'limits:\n  dailyCost: 0.001\nprices:\n  input: 3\n  output: 15',
      "today's limit of 0.001 is spent",
    ],
    ['the tokens of a day', 'limits:\n  dailyTokens: 800', "today's limit of 800 tokens is used up"],
  ])('when it has used up its %s', async (_, configuration, reason) => {
    const { model, keepsake } = await agentVault(files, { configuration });
    model.respond((_request, index) => ({
      calls: [{ tool: 'tree', input: { depth: index } }],
      usage: { input: 400, output: 10 },
    }));
    await expect(keepsake.agents.ask('What is there?', signal)).rejects.toThrow(reason);
    expect(model.requests.length).toBeLessThanOrEqual(3);
  });

  it('when its time is over, in the middle of a step', async () => {
    const { model, keepsake } = await agentVault(files, { configuration: 'limits:\n  minutes: 0.005' });
    model.script({ fault: 'hang' });
    await expect(keepsake.agents.ask('What is there?', signal)).rejects.toThrow('longer than 0.005 minutes');
  });

  it('when it is told to', async () => {
    const { model, keepsake } = await agentVault(files);
    model.script({ fault: 'hang' });
    const stopping = new AbortController();
    const asking = keepsake.agents.ask('What is there?', stopping.signal);
    setTimeout(() => stopping.abort(new Error('enough')), 100);
    await expect(asking).rejects.toThrow('enough');
  });

  it('with a word about what is missing when there is no model', async () => {
    const { keepsake } = await agentVault(files, { model: null });
    await expect(keepsake.agents.ask('What is there?', signal)).rejects.toMatchObject({
      message: 'no model is chosen for the agents',
      mend: expect.stringContaining('choose one with: keepsake config model'),
    });
  });
});

it('what came from the cache of the provider costs what the prices say, and does not count as tokens', async () => {
  const { model, keepsake } = await agentVault(files, {
    configuration: 'prices:\n  input: 10\n  output: 100\n  cachedInput: 1',
  });
  model.script({ ...looking, usage: { input: 0, output: 0 } });
  model.script({ text: overview, usage: { input: 1_000_000, cached: 900_000, output: 10_000 } });
  await keepsake.agents.ask('What is there?', signal);
  expect(keepsake.agents.spentToday()).toMatchObject({ tokens: 110_000, cost: 1 + 0.9 + 1 });
});

it('what the provider may cache is the same bytes in every run, for both agents', async () => {
  for (const kind of ['ask', 'file'] as const) {
    const { model, keepsake, file } = await agentVault(files, { protocol: 'anthropic' });
    model.respond((_, index) => {
      if (index % 2 === 1) return { text: overview };
      return kind === 'ask' ? looking : anEntry(`One question, another, longer question ${index}`);
    });
    for (const words of ['one question', 'another, longer question'])
      await (kind === 'ask' ? keepsake.agents.ask(words, signal) : file({ text: words }));
    const [first, second] = model.requests
      .filter(({ toolResults }) => toolResults.length === 0)
      .map(({ rawBody }) => rawBody);
    const same = (first ?? '').split('').findIndex((character, index) => character !== second?.[index]);
    const at = first?.indexOf('"It is ') ?? -1;
    expect(at).toBeGreaterThan(3_000);
    expect(same).toBeGreaterThan(at);
    const bodies = model.requests.map(({ body }) => JSON.stringify([body['system'], body['tools']]));
    expect(bodies[0]).toBe(bodies[1]);
    expect(bodies[0]).toContain('"cache_control":{"type":"ephemeral"}');
  }
});
