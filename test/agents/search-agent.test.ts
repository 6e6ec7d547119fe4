import { describe, expect, it } from 'vitest';
import { answer as answerSchema } from '../../packages/vault/src/contract/index.ts';
import type { Turn } from '../scripted-model/server.ts';
import type { VaultPath } from '../../packages/vault/src/vault/index.ts';
import { pdfOf } from '../pdf-of.ts';
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
        number: 1,
        path: 'vault/notes.md',
        start: 2,
        end: 3,
        text: 'one\ntwo',
        revision: expect.stringMatching(/^\w+$/),
      },
    ]);
  });

  it('is only the overview if nothing was found, with a note that no lines are cited', async () => {
    const { answer } = await ask(looking, { text: 'Nothing about it.\nI looked in the notes.' });
    expect(answer).toEqual({
      overview: 'Nothing about it.\nI looked in the notes.',
      found: 'no',
      blocks: [],
      isCited: false,
      unsupported: [],
      notes: [],
      document: 'Nothing about it.\nI looked in the notes.\n\nnote: no lines of the vault are cited',
    });
  });
});

describe('an answer from a document', () => {
  it('cites lines of its text with the page, and they can be checked', async () => {
    const offer = pdfOf('Fourteen cabinets of oak', 'The worktop is made of soapstone');
    const vault = await agentVault({ 'offer.pdf': offer });
    vault.model.script(
      { calls: [{ tool: 'read', input: { paths: 'vault/offer.pdf' } }] },
      { ...concatOf({ path: 'vault/offer.pdf', lines: '7' }), text: 'The worktop is soapstone [1].' },
    );
    const answer = answerSchema.parse(await vault.keepsake.agents.ask('Which worktop?', signal));
    expect(answer.blocks).toMatchObject([
      { path: 'vault/offer.pdf', start: 7, end: 7, extracted: { pages: { start: 2, end: 2 } } },
    ]);
    expect(answer.document).toMatch(
      /7 {2}\| The worktop is made of soapstone\n```\n\nnote: vault\/offer\.pdf: text extracted from the document, page 2$/,
    );
    expect(await vault.keepsake.verify(answer.document)).toMatchObject([{ state: 'same' }]);
  });

  it('never contains one that is hidden from AI', async () => {
    const vault = await agentVault(
      { 'private/offer.pdf': pdfOf('The worktop is made of soapstone'), 'a.md': 'a\n' },
      { configuration: "agents:\n  exclude: ['private/**']\n" },
    );
    const { restricted, search } = vault.keepsake;
    await search.prepare('fast');
    await search.indexDocuments({ signal });
    const path = 'vault/private/offer.pdf';
    const tools = {
      read: { paths: path },
      concat: { files: [{ path, lines: '1' }] },
      search: { queries: ['worktop'] },
    };
    for (const [tool, input] of Object.entries(tools)) {
      const outcome = await restricted.callTool({ tool, input, reader: 'model', origin: 'test' });
      expect(JSON.stringify(outcome)).not.toContain('soapstone');
      const own = await vault.keepsake.callTool({ tool, input, reader: 'person', origin: 'test' });
      expect(JSON.stringify(own)).toContain('soapstone');
    }
    expect(await restricted.readText(path as VaultPath)).toEqual({
      kind: 'failed',
      reason: 'file not found',
    });
  });
});

describe('the search agent with an invalid overview', () => {
  it('asks the model once for an overview if it is missing', async () => {
    const { answer, model } = await ask(concat('vault/notes.md', '2-2'), { text: overview });
    expect(model.requests[1]?.userTexts.at(-1)).toContain('The overview is missing');
    expect(answer.document).toBe(`${overview}${rule}\`\`\`vault/notes.md (lines 2-2)\n2  | one\n\`\`\``);
  });

  it('asks the model once for another overview if its length is wrong, and keeps the second one', async () => {
    const { answer, model } = await ask(concat('vault/notes.md', '2-2', 'Too long.\n'.repeat(9)), {
      text: 'Too long.\n'.repeat(6),
    });
    expect(model.requests[1]?.userTexts.at(-1)).toContain(
      'The overview has 9 lines. Write it in 2 to 5 lines (one is enough',
    );
    expect(model.requests).toHaveLength(2);
    expect(answer.overview.split('\n')).toHaveLength(6);
    expect(answer.blocks).toHaveLength(1);
  });
});

describe('an overview that its lines do not support', () => {
  const wrong = 'Two costs 900 €, says Dupont [1][3].';

  it('is sent back once with what is missing, and can be supported with other lines', async () => {
    const { answer, model } = await ask(
      concat('vault/notes.md', '2-2', 'Two and Three [2].'),
      concatOf({ path: 'vault/notes.md', lines: '1' }, { path: 'vault/notes.md', lines: '3-4' }),
    );
    expect(model.requests[1]?.userTexts.at(-1)).toMatch(
      /^The cited lines do not contain: Three, \[2\]\. Call/,
    );
    expect(answer).toMatchObject({ overview, unsupported: [], found: 'yes' });
    expect(answer.document).toContain('```vault/notes.md (lines 3-4)');
  });

  it('is kept with a note in the language of the vault if the model insists', async () => {
    const { answer, model, keepsake } = await ask(concat('vault/notes.md', '2-2', wrong), { text: wrong });
    expect(model.requests).toHaveLength(2);
    expect(answer.unsupported).toEqual(['900', 'Dupont', '[3]']);
    expect(answer.document).toBe(
      `${wrong}${rule}\`\`\`vault/notes.md (lines 2-2)\n2  | one\n\`\`\`\n\nnote: not in the lines above: 900, Dupont, [3]`,
    );
    expect(await keepsake.verify(answer.document)).toMatchObject([{ path: 'vault/notes.md', state: 'same' }]);
  });
});

describe('an answer that the vault does not contain', () => {
  it('may quote near misses', async () => {
    const { answer } = await ask(read, concat('vault/notes.md', '2', 'Only one is near.\nFound: no'));
    expect(answer).toMatchObject({ overview: 'Only one is near.', found: 'no', isCited: true });
    expect(answer.document).not.toContain('Found');
  });

  it('has to be declared if lines were shown, or cited', async () => {
    const { answer, model } = await ask(read, { text: 'None.' }, { text: 'None.\nFound: no' });
    expect(model.requests[2]?.userTexts.at(-1)).toMatch(/^You have not cited any lines\. Call concat/);
    expect(answer).toMatchObject({ overview: 'None.', found: 'no', isCited: false });
  });
});

it('several ranges of an entry have one number, and entries of several calls are numbered consecutively', async () => {
  const calls = [[{ path: 'vault/notes.md', lines: '1,3' }], [{ path: 'vault/notes.md', lines: '4' }]].map(
    (asked) => ({ tool: 'concat', input: { files: asked } }),
  );
  const { answer, model, keepsake } = await ask({ text: 'Two [1]. Three [2].', calls });
  expect(model.requests).toHaveLength(1);
  expect(answer.document).toBe(
    `Two [1]. Three [2].${rule}\`\`\`vault/notes.md (lines 1-1, 3-3)\n1  | # Notes\n   | ...\n3  | two\n\`\`\`\n\n\`\`\`vault/notes.md (lines 4-4)\n4  | three\n\`\`\``,
  );
  expect(answer.blocks.map(({ number, start, text }) => [number, start, text])).toEqual([
    [1, 1, '# Notes'],
    [1, 3, 'two'],
    [2, 4, 'three'],
  ]);
  expect(await keepsake.verify(answer.document)).toMatchObject([
    { start: 1, state: 'same' },
    { start: 3, state: 'same' },
    { start: 4, state: 'same' },
  ]);
});

it('below the rule, an answer is the output of concat, byte for byte, with its notes', async () => {
  const vault = await agentVault({
    ...files,
    'changelog.md': '# 2025-09-02\n\n## New\nreplaces: changelog.md § Old\n\n# 2025-07-14\n\n## Old\n',
  });
  const input = { files: [{ path: 'changelog.md' }, { path: 'notes.md', lines: '2-3' }] };
  vault.model.script({ text: overview, calls: [{ tool: 'concat', input }] });
  const { document } = await vault.keepsake.agents.ask('What is there?', signal);
  const concatenated = await vault.keepsake.callTool({
    tool: 'concat',
    input,
    reader: 'model',
    origin: 'test',
  });
  if (concatenated.kind !== 'result') throw new Error('refused');
  expect(document).toBe(`${overview}${rule}${concatenated.result.text}`);
  expect(document).toMatch(/```\n\nnote: vault\/changelog\.md:8 § Old was replaced on 2025-09-02 by [^\n]*$/);
});

describe('the search agent with concat errors', () => {
  it('numbers citations by the blocks that there are', async () => {
    const asked = concatOf(
      { path: 'vault/notes.md', lines: '2-2' },
      { path: 'vault/gone.md' },
      { path: 'vault/notes.md', lines: '4-4' },
    );
    const turn = { ...asked, text: 'One [1]. Two [2]. Three [3], or [7].' };
    const { answer } = await ask(turn, turn, turn, turn);
    expect(answer).toMatchObject({
      overview: 'One [1]. Two [?]. Three [2], or [7].',
      blocks: [
        { number: 1, text: 'one' },
        { number: 2, text: 'three' },
      ],
      unsupported: ['[?]', '[7]'],
    });
    expect(answer.document).toMatch(
      /\n\nerror: vault\/gone\.md: file not found\nnote: not in the lines above: \[\?\], \[7\]$/,
    );
  });

  it('tells the model that a path is wrong', async () => {
    const { answer, model } = await ask(
      concat('vault/note.md', null, overview),
      concat('vault/notes.md', '4-4', overview),
    );
    expect(model.requests[1]?.toolResults.at(-1)?.text).toContain('did you mean vault/notes.md?');
    expect(answer.blocks).toMatchObject([{ start: 4, end: 4, text: 'three' }]);
  });

  it('keeps the lines that were found if the model only repeats its overview', async () => {
    const both = concatOf({ path: 'vault/notes.md', lines: '2-2' }, { path: 'vault/gone.md' });
    const { answer } = await ask(both, { text: overview });
    expect(answer).toMatchObject({
      isCited: true,
      blocks: [{ text: 'one' }],
      notes: [expect.stringContaining('gone.md')],
    });
  });

  it('answers with the lines that were found and the errors if the model repeats its mistake', async () => {
    const both = concatOf({ path: 'vault/notes.md', lines: '2-2' }, { path: 'vault/gone.md' });
    const { answer, keepsake } = await ask(both, both, both, both);
    // In the answer, which a person reads, without "call tree to list files".
    const error = 'error: vault/gone.md: file not found';
    expect(answer.document).toBe(
      `${overview}${rule}\`\`\`vault/notes.md (lines 2-2)\n2  | one\n\`\`\`\n\n${error}`,
    );
    expect(answer).toMatchObject({ isCited: true, notes: [error] });
    expect(await keepsake.verify(answer.document)).toMatchObject([{ path: 'vault/notes.md', state: 'same' }]);
  });

  it('tells the model that lines do not fit; if it requests them again, a note lists what was omitted', async () => {
    const vault = await agentVault({ ...files, 'long.md': 'Some words.\n'.repeat(9_000) });
    const both = concatOf({ path: 'vault/long.md' }, { path: 'vault/notes.md' });
    vault.model.respond(() => both);
    const { document, notes, blocks } = await vault.keepsake.agents.ask('What is there?', signal);
    expect(vault.model.requests[1]?.userTexts.at(-1)).toContain('do not fit into one answer');
    expect(blocks.map(({ path }) => path)).toEqual(['vault/long.md']);
    expect(notes).toEqual([
      expect.stringMatching(
        /^note: omitted because the answer would be too long: vault\/long\.md:\d+-9000, vault\/notes\.md$/,
      ),
    ]);
    expect(document.endsWith(`\n\`\`\`\n\n${notes[0]}`)).toBe(true);
    expect(await vault.keepsake.verify(document)).toMatchObject([{ path: 'vault/long.md', state: 'same' }]);
  });

  it('combines several calls in one step, with all errors below all lines', async () => {
    const calls = [
      {
        tool: 'concat',
        input: { files: [{ path: 'vault/gone.md' }, { path: 'vault/notes.md', lines: '2-2' }] },
      },
      { tool: 'concat', input: { files: 7 } },
      { tool: 'concat', input: { files: [{ path: 'vault/notes.md', lines: '4-4' }] } },
    ];
    const vault = await agentVault(files);
    vault.model.respond(() => ({ text: overview, calls }));
    const { document, blocks } = await vault.keepsake.agents.ask('What is there?', signal);
    expect(blocks.map(({ text }) => text)).toEqual(['one', 'three']);
    expect(document).toMatch(
      /4 {2}\| three\n```\n\nerror: vault\/gone\.md: file not found\nerror: the model requested lines in an invalid form, so they are missing$/,
    );
  });

  it('returns an error for lines deleted since the model read them, every time it requests them', async () => {
    const vault = await agentVault(files);
    vault.model.respond((request, index) => {
      if (index === 0) return read;
      if (index === 1) layOut(vault.folder, { 'notes.md': '# Notes\nunrelated\ntwo\nthree\n' });
      else
        expect(request.toolResults.at(-1)?.text).toMatch(
          /the file changed after these lines were shown.*read it again/,
        );
      return concat('vault/notes.md', index < 3 ? '2-2' : '3-3', overview);
    });
    const { blocks } = await vault.keepsake.agents.ask('What is there?', signal);
    expect(vault.model.requests).toHaveLength(4);
    expect(blocks).toMatchObject([{ start: 3, end: 3, text: 'two' }]);
  });
});

it('lines that moved since the model read them are taken from their current position', async () => {
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

describe('a run of the search agent', () => {
  it.each([
    ['steps', 'limits:\n  steps: 3', 'reached the limit of 3 steps'],
    ['tokens', 'limits:\n  tokens: 500', 'reached the limit of 500 tokens'],
    [
      'cost per day',
      'limits:\n  dailyCost: 0.001\nprices:\n  input: 3\n  output: 15',
      "reached today's cost limit of 0.001",
    ],
    ['tokens per day', 'limits:\n  dailyTokens: 800', "reached today's limit of 800 tokens"],
  ])('ends when it reaches its limit of %s', async (_, configuration, reason) => {
    const { model, keepsake } = await agentVault(files, { configuration });
    model.respond((_request, index) => ({
      calls: [{ tool: 'tree', input: { depth: index } }],
      usage: { input: 400, output: 10 },
    }));
    await expect(keepsake.agents.ask('What is there?', signal)).rejects.toThrow(reason);
    expect(model.requests.length).toBeLessThanOrEqual(3);
  });

  it('ends when its time limit is reached in the middle of a step', async () => {
    const { model, keepsake } = await agentVault(files, { configuration: 'limits:\n  minutes: 0.005' });
    model.script({ fault: 'hang' });
    await expect(keepsake.agents.ask('What is there?', signal)).rejects.toThrow(
      'reached the limit of 0.005 minutes',
    );
  });

  it('ends when it is aborted', async () => {
    const { model, keepsake } = await agentVault(files);
    model.script({ fault: 'hang' });
    const stopping = new AbortController();
    const asking = keepsake.agents.ask('What is there?', stopping.signal);
    setTimeout(() => stopping.abort(new Error('enough')), 100);
    await expect(asking).rejects.toThrow('enough');
  });

  it('fails with a hint if there is no model', async () => {
    const { keepsake } = await agentVault(files, { model: null });
    await expect(keepsake.agents.ask('What is there?', signal)).rejects.toMatchObject({
      message: 'no model is configured for the agents',
      hint: expect.stringContaining('choose one with: keepsake config model'),
    });
  });
});

it('cached tokens are priced separately and do not count toward the limit', async () => {
  const { model, keepsake } = await agentVault(files, {
    configuration: 'prices:\n  input: 10\n  output: 100\n  cachedInput: 1',
  });
  model.script({ ...looking, usage: { input: 0, output: 0 } });
  model.script({ text: overview, usage: { input: 1_000_000, cached: 900_000, output: 10_000 } });
  await keepsake.agents.ask('What is there?', signal);
  expect(keepsake.agents.spentToday()).toMatchObject({ tokens: 110_000, cost: 1 + 0.9 + 1 });
});

it('the cacheable prefix is byte-identical in every run, for both agents', async () => {
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
    const at = first?.indexOf('"Today is ') ?? -1;
    expect(at).toBeGreaterThan(3_000);
    expect(same).toBeGreaterThan(at);
    const bodies = model.requests.map(({ body }) => JSON.stringify([body['system'], body['tools']]));
    expect(bodies[0]).toBe(bodies[1]);
    expect(bodies[0]).toContain('"cache_control":{"type":"ephemeral"}');
  }
});
