import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { answer, api } from '../../packages/vault/src/contract/index.ts';
import { looking } from '../agents/agent-vault.ts';
import { pdfOf } from '../pdf-of.ts';
import { httpVault, readProblem } from './http-vault.ts';

const files = {
  'notes.md': '# Notes\none\ntwo\nthree\n',
  'projects/flat/state.md': '# Heating\nIt is broken.\n',
};
const overview = 'First line.\nSecond line.';
const concat = {
  text: overview,
  calls: [{ tool: 'concat', input: { files: [{ path: 'vault/notes.md', lines: '2-3' }] } }],
};

describe('search', () => {
  it('returns passages with their lines', async () => {
    const vault = await httpVault(files);
    const found = api.searchResponse.parse(
      await vault.get('/search', { token: vault.reader, json: { queries: ['heating'] } }),
    );
    expect(found.sections).toMatchObject([
      { path: 'vault/projects/flat/state.md', lines: { start: 1, end: 2 } },
    ]);
    const scoped = {
      queries: ['heating'],
      scopes: ['notes.md'],
      context: 0,
      limit: 1,
      dateFrom: '2020-01-01',
    };
    expect(await vault.get('/search', { json: scoped })).toMatchObject({ sections: [] });
  });

  it('rejects invalid queries', async () => {
    const vault = await httpVault(files);
    const refusal = async (json: unknown) => readProblem(await vault.send('/search', { json }));
    for (const json of [
      {},
      { queries: [] },
      { queries: ['x'], limit: 0 },
      { queries: ['x'], dateFrom: 'yesterday' },
      [],
    ])
      expect(await refusal(json)).toMatchObject({ status: 422, code: 'invalid' });
    expect(await refusal({ queries: ['x'], scopes: ['{'] })).toMatchObject({ code: 'refused' });
    const reversed = { queries: ['x'], dateFrom: '2025-02-01', dateTo: '2025-01-01' };
    expect(await refusal(reversed)).toMatchObject({ code: 'refused', detail: 'dateFrom is after dateTo' });
  });
});

describe('the text of a file', () => {
  it('is that of a document as the tools number it', async () => {
    const documents = { 'offer.pdf': pdfOf('Fourteen cabinets', 'A worktop of soapstone') };
    const vault = await httpVault({ ...files, ...documents });
    const read = api.textResponse.parse(await vault.get('/text?path=offer.pdf', { token: vault.reader }));
    expect(read).toMatchObject({
      path: 'vault/offer.pdf',
      text: '# Page 1\n\nFourteen cabinets\n\n# Page 2\n\nA worktop of soapstone',
      extracted: { pages: 2, warnings: [] },
    });
    const file = await vault.send('/files/offer.pdf');
    expect(file.headers.get('etag')).toBe(`"${read.extracted?.revision}"`);
    expect(api.textResponse.parse(await vault.get('/text?path=notes.md'))).toMatchObject({
      text: files['notes.md'],
      extracted: null,
    });
    const tool = await vault.get<{ result: { text: string } }>('/tools/read', {
      json: { input: { paths: 'offer.pdf:7' } },
    });
    expect(tool.result.text).toContain('7  | A worktop of soapstone');
  });

  it('is refused with the reason if there is none', async () => {
    const vault = await httpVault({ 'scan.pdf': '%PDF-1.4\nnothing', 'a.bin': '\0' });
    const refusal = async (path: string) => readProblem(await vault.send(`/text?path=${path}`));
    expect(await refusal('scan.pdf')).toMatchObject({
      status: 422,
      detail: expect.stringContaining('the file is damaged'),
    });
    expect(await refusal('a.bin')).toMatchObject({
      status: 422,
      detail: 'vault/a.bin: it is binary data, not text',
    });
    expect(await refusal('none.pdf')).toMatchObject({ status: 404, code: 'no-such-file' });
  });
});

describe('compression', () => {
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`notes/n-${at}.md`, 'Words.\n']));
  const accept = { 'accept-encoding': 'gzip, deflate, br' };

  it('is used for large lists of the vault if the client accepts it', async () => {
    const vault = await httpVault(many);
    const plain = await vault.send('/tree');
    expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([
      null,
      'accept-encoding',
    ]);
    const text = await plain.text();
    const packed = await vault.send('/tree', { headers: accept });
    expect(packed.headers.get('content-encoding')).toBe('br');
    const bytes = Buffer.from(await packed.arrayBuffer());
    expect(brotliDecompressSync(bytes).toString()).toBe(text);
    expect(bytes.length).toBeLessThan(text.length / 4);
    const gzip = await vault.send('/tree', { headers: { 'accept-encoding': 'gzip' } });
    expect(gunzipSync(Buffer.from(await gzip.arrayBuffer())).toString()).toBe(text);
  });

  it('is not used for small lists, secrets, search results, files and streams', async () => {
    const vault = await httpVault({ ...many, 'long.md': 'Words.\n'.repeat(2_000) });
    const headers = { ...accept };
    for (const [path, options] of [
      ['/projects', {}],
      ['/tokens', { token: vault.owner }],
      ['/search', { json: { queries: ['words'] } }],
      ['/files/long.md', {}],
      ['/events', {}],
    ] as const) {
      const response = await vault.send(path, { ...options, headers });
      expect([path, response.status, response.headers.get('content-encoding')]).toEqual([path, 200, null]);
      await response.body?.cancel();
    }
  });
});

describe('backlinks', () => {
  it('list the notes that link to a file, not those that link to another file of the same name', async () => {
    const vault = await httpVault({
      ...files,
      'projects/boat/state.md': '# Boat\n',
      'a.md': 'x\n\nSee [[flat/state#Heating|it]] and [again](projects/flat/state.md).\n',
      'projects/boat/b.md': 'Here is [[state]].\n',
    });
    const leading = async (path: string) =>
      api.backlinks.parse(await vault.get(`/backlinks?path=${path}`)).notes;
    expect(await leading('projects/flat/state.md')).toEqual([
      {
        path: 'vault/a.md',
        line: expect.any(Number),
        text: 'See [[flat/state#Heating|it]] and [again](projects/flat/state.md).',
      },
    ]);
    expect(await leading('projects/boat/state.md')).toMatchObject([{ path: 'vault/projects/boat/b.md' }]);
    expect(await leading('notes.md')).toEqual([]);
  });
});

describe('backlinks to equally near files of the same name', () => {
  it('include an ambiguous link for each, and a link with a heading only for the file with that heading', async () => {
    const vault = await httpVault({
      'x/one/state.md': '# One\n\n## Plan\n',
      'x/two/state.md': '# Two\n\n## Plan\n\n## Alerts\n',
      'a.md': 'See [[state#Alerts]].\n',
      'b.md': 'See [[state#Plan]].\n',
      'c.md': 'See [[two/state]].\n',
    });
    const leading = async (path: string) =>
      api.backlinks.parse(await vault.get(`/backlinks?path=${path}`)).notes.map(({ path: from }) => from);
    expect(await leading('x/one/state.md')).toEqual(['vault/b.md']);
    expect(await leading('x/two/state.md')).toEqual(['vault/a.md', 'vault/b.md', 'vault/c.md']);
  });
});

describe('tree', () => {
  it('returns the output of the tool as text and as entries', async () => {
    const vault = await httpVault(files);
    const all = api.treeResponse.parse(await vault.get('/tree'));
    expect(all.entries.map(({ path }) => path)).toContain('vault/projects/flat/state.md');
    const one = api.treeResponse.parse(await vault.get('/tree?path=projects/flat/&depth=0'));
    expect(one.entries.map(({ path }) => path)).toEqual(['vault/projects/flat/']);
    expect(one.text).toMatch(/^vault\/projects\/flat\/ /);
    const plain = api.treeResponse.parse(await vault.get('/tree?text=false'));
    expect(plain).toEqual({ ...all, text: '' });
    expect(await readProblem(await vault.send('/tree?path=projects/flit'))).toMatchObject({ status: 404 });
    expect(await readProblem(await vault.send('/tree?path=../x'))).toMatchObject({
      status: 422,
      code: 'refused',
    });
    expect(await readProblem(await vault.send('/tree?depth=-1'))).toMatchObject({
      status: 422,
      code: 'invalid',
    });
  });
});

describe('tool call', () => {
  it('returns the complete outcome, including images', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const vault = await httpVault({ ...files, 'shot.png': png });
    const call = async (tool: string, json: object) =>
      api.toolOutcome.parse(await vault.get(`/tools/${tool}`, { json }));
    expect(await call('read', { input: { paths: ['notes.md', 'shot.png', 'none.md'] } })).toMatchObject({
      kind: 'result',
      result: {
        text: expect.stringContaining('2  | one'),
        images: [{ path: 'vault/shot.png', mediaType: 'image/png', data: png.toString('base64') }],
        value: { files: [{ path: 'vault/notes.md' }], errors: [{ path: 'vault/none.md' }] },
      },
    });
    expect(await call('read', { input: { paths: [] } })).toMatchObject({ kind: 'refused' });
    const nothing = await vault.send('/tools/nothing', { json: { input: {} } });
    expect(await readProblem(nothing)).toMatchObject({ status: 404, code: 'no-such-tool' });
  });

  it('may change a file that the same caller has read in the same run, or whose revision it passes', async () => {
    const vault = await httpVault(files);
    const call = (tool: string, json: object, token = vault.writer) =>
      vault.get(`/tools/${tool}`, { json, token });
    const edit = { path: 'notes.md', old: 'one', new: 'uno' };
    const failed = { result: { value: { errors: [expect.anything()] } } };
    expect(await call('edit', { input: edit })).toMatchObject(failed);
    const read = (await call('read', { input: { paths: 'notes.md' }, run: 'r' })) as {
      result: { value: { files: { revision: string }[] } };
    };
    expect(await call('edit', { input: edit, run: 'r' }, vault.owner)).toMatchObject(failed);
    expect(await call('edit', { input: edit, run: 'r', origin: 'a test' })).toMatchObject({
      result: { value: { errors: [] } },
    });
    const [change] = vault.keepsake.changes.list({ limit: 1 });
    expect(change?.origin).toBe('a test');
    const revision = read.result.value.files[0]?.revision;
    const write = { path: 'notes.md', content: 'new\n', replace: true };
    expect(await call('write', { input: write, revision })).toMatchObject(failed);
    const now = (await vault.send('/files/notes.md')).headers.get('etag')?.slice(1, -1);
    expect(await call('write', { input: write, revision: now })).toMatchObject({
      result: { value: { errors: [] } },
    });
  });

  it('is applied only once if it is repeated with the same id', async () => {
    const vault = await httpVault(files);
    const input = { path: 'notes.md', content: 'four', position: 'bottom' };
    for (let time = 0; time < 3; time += 1)
      await vault.get('/tools/append', { json: { input, id: '11111111-2222-4333-8444-555555555555' } });
    expect(vault.text('notes.md')?.match(/four/g)).toHaveLength(1);
  });
});

describe('answer', () => {
  it('is returned as JSON', async () => {
    const vault = await httpVault(files);
    vault.model.script(concat);
    const response = await vault.get('/answers', {
      token: vault.reader,
      json: { question: 'What is there?' },
    });
    expect(answer.parse(response)).toMatchObject({
      document: expect.stringContaining('2  | one'),
      isCited: true,
    });
  });

  it('reports that nothing in the vault was cited', async () => {
    const vault = await httpVault(files);
    vault.model.script(looking, { text: 'Nothing.\nI searched.' });
    expect(await vault.get('/answers', { json: { question: 'What else?' } })).toMatchObject({
      isCited: false,
      document: 'Nothing.\nI searched.\n\nnote: no lines of the vault are cited',
    });
  });

  it('is a problem document when it fails', async () => {
    const vault = await httpVault(files);
    vault.model.script({ fault: 'status', status: 401, body: '{}' });
    expect(await readProblem(await vault.send('/answers', { json: { question: 'x' } }))).toMatchObject({
      status: 502,
      code: 'model-failed',
    });
    expect(await readProblem(await vault.send('/answers', { json: { question: ' ' } }))).toMatchObject({
      status: 422,
    });
  });

  it('falls back to fast search without a model', async () => {
    const vault = await httpVault(files, { model: null });
    const found = api.askResponse.parse(
      await vault.get('/answers', { json: { question: 'Is the heating broken?' } }),
    );
    expect(found).toMatchObject({ by: 'search', isCited: true });
    expect(found.overview).toContain('No AI model is set up');
    expect(found.blocks).toMatchObject([
      { path: 'vault/projects/flat/state.md', text: '# Heating\nIt is broken.' },
    ]);
    const nothing = await vault.get('/answers', { json: { question: 'xylophone' } });
    expect(nothing).toMatchObject({ by: 'search', isCited: false, blocks: [] });
  });

  it('can be verified again later', async () => {
    const vault = await httpVault(files);
    const document =
      '```vault/notes.md (lines 2-2)\n2  | one\n```\n\n```vault/notes.md (lines 3-3)\n3  | deux\n```';
    const { blocks } = api.verifyResponse.parse(
      await vault.get('/verify', { token: vault.reader, json: { document } }),
    );
    expect(blocks).toMatchObject([{ state: 'same' }, { state: 'changed' }]);
  });
});

describe('status', () => {
  it('reports index, queue, models and spend', async () => {
    const vault = await httpVault(files);
    await vault.get('/search', { json: { queries: ['x'] } });
    await vault.get('/updates', { json: { text: 'x' } });
    expect(api.status.parse(await vault.get('/status', { token: vault.reader }))).toEqual({
      vault: 'notes',
      role: null,
      canWrite: false,
      member: null,
      here: [],
      version: '0.0.0-test',
      timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
      index: {
        comparedAt: expect.any(Number),
        files: expect.any(Number),
        sections: expect.any(Number),
        vectors: null,
      },
      queue: { waiting: 1, running: 0, parked: 0 },
      models: { agents: 'test/model', problem: null },
      spend: { tokens: 0, cost: 0 },
      layout: {
        overview: 'overview.md',
        changelog: 'changelog.md',
        tasks: 'tasks.md',
        projects: 'projects',
        people: 'people',
        inbox: 'inbox',
        problem: null,
      },
      dailyNotes: null,
      loss: null,
    });
    const without = await httpVault({}, { model: null });
    expect(await without.get('/status')).toMatchObject({
      models: { agents: null, problem: { text: 'none is chosen' } },
    });
    expect(await without.get('//api/health', { token: null })).toEqual({
      status: 'ok',
      version: '0.0.0-test',
    });
    expect(await without.get('//api/vaults/default/status')).toMatchObject({ vault: 'notes' });
  });
});
