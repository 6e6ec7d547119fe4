import { buffer } from 'node:stream/consumers';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { api } from '../../packages/vault/src/contract/index.ts';
import { httpVault, readProblem } from './http-vault.ts';
import type { HttpVault } from './http-vault.ts';
import { streamZip } from '../../packages/vault/src/server/http/stream-zip.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const put = (
  vault: HttpVault,
  path: string,
  body: BodyInit,
  headers: Record<string, string> = {},
  query = '',
  token = vault.writer,
) =>
  vault.send(`/files/${path}${query}`, {
    method: 'PUT',
    token,
    body,
    headers: { 'content-type': 'text/markdown', ...headers },
  });

type BodyInit = NonNullable<RequestInit['body']>;

async function tagOf(vault: HttpVault, path: string): Promise<string> {
  return (await vault.send(`/files/${path}`)).headers.get('etag') ?? '';
}

describe('PUT image', () => {
  it('stores a valid image in a bucket byte for byte, and never replaces an existing one', async () => {
    const vault = await httpVault({ 'a.md': 'x\n' });
    const send = (path: string, body: BodyInit, token = vault.owner) =>
      put(vault, path, body, { 'content-type': 'image/png', 'if-none-match': '*' }, '', token);
    const made = await send('projects/x/bucket/shot.png', png);
    expect(made.status).toBe(201);
    const { change } = api.fileWriteResponse.parse(await made.json());
    expect(readFileSync(join(vault.folder, 'projects/x/bucket/shot.png'))).toEqual(png);
    expect(await readProblem(await send('projects/x/bucket/shot.png', png))).toMatchObject({
      code: 'changed-since',
    });
    expect(await readProblem(await send('a.png', png))).toMatchObject({ code: 'refused' });
    expect(await readProblem(await send('bucket/b.png', png, vault.writer))).toMatchObject({
      code: 'not-the-person',
    });
    expect(await readProblem(await send('bucket/no.png', '<script>'))).toMatchObject({ code: 'wrong-type' });
    expect(await readProblem(await send('bucket/page.html', png))).toMatchObject({ code: 'wrong-type' });
    await vault.get(`/history/${change}/undo`, { json: {}, token: vault.owner });
    expect((await vault.send('/files/projects/x/bucket/shot.png')).status).toBe(404);
  });
});

describe('GET file', () => {
  it('returns the bytes of the file, with its revision as ETag', async () => {
    const vault = await httpVault({ 'projects/x y/état.md': '# État\r\n\0binary?' });
    const response = await vault.send(`/files/${encodeURIComponent('projects/x y/état.md')}`);
    expect(Buffer.from(await response.arrayBuffer()).toString()).toBe('# État\r\n\0binary?');
    expect(response.headers.get('etag')).toMatch(/^"[0-9a-f]{16}"$/);
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    const same = await vault.send('/files/vault/projects/x%20y/%C3%A9tat.md');
    expect(same.headers.get('etag')).toBe(response.headers.get('etag'));
    const head = await vault.send('/files/projects/x%20y/%C3%A9tat.md', { method: 'HEAD' });
    expect(head.headers.get('etag')).toBe(response.headers.get('etag'));
    expect(await head.text()).toBe('');
  });

  it('never serves content that a browser would execute', async () => {
    const html = '<script>alert(1)</script>';
    const vault = await httpVault({
      'a.md': html,
      'b.html': html,
      'c.svg': `<svg>${html}</svg>`,
      'd.png': png,
      'e.png': html,
    });
    const types: Record<string, string> = {};
    for (const name of ['a.md', 'b.html', 'c.svg', 'd.png', 'e.png']) {
      const { headers } = await vault.send(`/files/${name}`);
      types[name] = `${headers.get('content-type')}, ${headers.get('content-disposition')}`;
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toMatch(/^sandbox;/);
    }
    expect(types).toEqual({
      'a.md': 'text/markdown; charset=utf-8, inline',
      'b.html': 'application/octet-stream, attachment',
      'c.svg': 'application/octet-stream, attachment',
      'd.png': 'image/png, inline',
      'e.png': 'application/octet-stream, attachment',
    });
  });

  it('returns 304 for a matching If-None-Match', async () => {
    const vault = await httpVault({ 'a.md': 'text\n' });
    const tag = await tagOf(vault, 'a.md');
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const response = await vault.send('/files/a.md', { headers: { 'if-none-match': known } });
      expect(response.status).toBe(304);
      expect(response.headers.get('etag')).toBe(tag);
      expect(await response.text()).toBe('');
    }
    expect((await vault.send('/files/a.md', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  it('suggests a similar path for a missing file', async () => {
    const vault = await httpVault({
      'projects/flat/state.md': 'x',
      'large.md': Buffer.alloc(20_000_001, 'x'),
    });
    const missing = await vault.send('/files/projects/flat/stat.md');
    expect(await readProblem(missing)).toMatchObject({
      status: 404,
      code: 'no-such-file',
      next: 'did you mean vault/projects/flat/state.md?',
    });
    expect(await readProblem(await vault.send('/files/projects/flat/'))).toMatchObject({
      status: 404,
      detail: 'vault/projects/flat is a folder',
    });
    expect(await readProblem(await vault.send('/files/large.md'))).toMatchObject({
      status: 422,
      code: 'refused',
    });
    expect(await readProblem(await vault.send('/files/%ff.md'))).toMatchObject({
      status: 400,
      code: 'bad-request',
    });
  });
});

describe('writing a file', () => {
  it('requires the revision of the replaced file', async () => {
    const vault = await httpVault({ 'a.md': 'old\n' });
    expect(await readProblem(await put(vault, 'a.md', 'new\n'))).toMatchObject({
      status: 428,
      code: 'precondition-missing',
    });
    const old = await tagOf(vault, 'a.md');
    const response = await put(vault, 'a.md', 'new\n', { 'if-match': old });
    expect(response.status).toBe(200);
    const written = api.fileWriteResponse.parse(await response.json());
    expect(written).toMatchObject({ path: 'vault/a.md', change: expect.any(String) });
    expect(response.headers.get('etag')).toBe(`"${written.revision}"`);
    expect(await tagOf(vault, 'a.md')).toBe(`"${written.revision}"`);
    expect(vault.text('a.md')).toMatch(/new\n$/);

    const stale = await put(vault, 'a.md', 'newer\n', { 'if-match': old });
    expect(stale.headers.get('etag')).toBe(`"${written.revision}"`);
    expect(await readProblem(stale)).toMatchObject({ status: 412, code: 'changed-since' });
    for (const tag of [`W/"${written.revision}"`, '"x"', 'x', ''])
      expect((await put(vault, 'a.md', 'newer\n', { 'if-match': tag })).status).toBe(412);
    expect(vault.text('a.md')).toMatch(/new\n$/);
    expect((await put(vault, 'a.md', 'newest\n', { 'if-match': '*' })).status).toBe(200);
  });

  it('creates a file and its folders with If-None-Match', async () => {
    const vault = await httpVault();
    const response = await put(vault, 'projects/x/state.md', '\ufeff# État\n', { 'if-none-match': '*' });
    expect(response.status).toBe(201);
    expect(vault.text('projects/x/state.md')).toMatch(/^\ufeff---\n[\s\S]*# État\n$/);
    const again = await put(vault, 'projects/x/state.md', 'x', { 'if-none-match': '*' });
    expect(await readProblem(again)).toMatchObject({ status: 412 });
    expect(await readProblem(await put(vault, 'none.md', 'x', { 'if-match': '*' }))).toMatchObject({
      status: 412,
    });
    expect(await readProblem(await put(vault, 'none.md', 'x', { 'if-match': '"0"' }))).toMatchObject({
      status: 412,
    });
    expect(vault.text('none.md')).toBeNull();
  });

  it('requires confirmation from the user for a large deletion', async () => {
    const long = Array.from({ length: 200 }, (_, index) => `line ${index}`).join('\n');
    const vault = await httpVault({ 'a.md': long });
    const tag = await tagOf(vault, 'a.md');
    const write = (query: string, token: string) =>
      put(vault, 'a.md', 'short\n', { 'if-match': tag }, query, token);
    expect(await readProblem(await write('', vault.owner))).toMatchObject({
      status: 409,
      code: 'unconfirmed',
    });
    // A client cannot confirm in place of the user.
    expect(await readProblem(await write('?confirm=true', vault.writer))).toMatchObject({
      status: 409,
      code: 'wrong-state',
      detail: expect.stringContaining('this removes more than half of vault/a.md'),
      next: 'approve in the browser, or run: keepsake approve <id>',
    });
    expect(vault.text('a.md')).toBe(long);
    expect((await write('?confirm=true', vault.owner)).status).toBe(200);
  });

  it('rejects binary content, files other than notes, and generated files', async () => {
    const vault = await httpVault({ 'a.md': 'x' });
    const refusal = async (path: string, body: BodyInit, type = 'text/markdown') =>
      readProblem(await put(vault, path, body, { 'if-none-match': '*', 'content-type': type }));
    expect(await refusal('b.md', Buffer.from([0xff, 0xfe]))).toMatchObject({
      status: 422,
      detail: 'the body is not valid UTF-8 text',
    });
    expect(await refusal('b.md', 'a\0b')).toMatchObject({ status: 422 });
    expect(await refusal('b.html', '<p>')).toMatchObject({
      status: 422,
      detail: expect.stringContaining('only markdown'),
    });
    expect(await refusal('tree2.md', '{}', 'application/json')).toMatchObject({ status: 415 });
    expect(await refusal('tree.md', 'x')).toMatchObject({
      status: 422,
      detail: expect.stringContaining('generated'),
    });
    expect(await refusal('inbox', 'x')).toMatchObject({ status: 404, code: 'no-such-file' });
  });

  it('rejects JSON that is not valid UTF-8', async () => {
    const vault = await httpVault({ 'a.md': 'x\n' });
    const call = JSON.stringify({ input: { path: 'b.md', content: 'caf\u00e9\n' } });
    const write = (body: Buffer<ArrayBuffer>) =>
      vault.send('/tools/write', {
        method: 'POST',
        token: vault.writer,
        body,
        headers: { 'content-type': 'application/json' },
      });
    expect(await readProblem(await write(Buffer.from(call, 'latin1')))).toMatchObject({
      status: 400,
      detail: 'the body is not UTF-8; send JSON in UTF-8',
    });
    expect((await write(Buffer.from(call))).status).toBe(200);
    expect(vault.text('b.md')).toMatch(/caf\u00e9\n$/);
  });

  it('succeeds for one of two concurrent writers and fails for the other', async () => {
    const vault = await httpVault({ 'a.md': 'old\n' });
    const tag = await tagOf(vault, 'a.md');
    for (let round = 0; round < 10; round += 1) {
      const path = `race-${round}.md`;
      writeFileSync(join(vault.folder, path), 'old\n');
      const answers = await Promise.all(
        ['one\n', 'two\n'].map((text) => put(vault, path, text, { 'if-match': tag })),
      );
      const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
      expect(statuses[0]).toBe(200);
      expect([409, 412]).toContain(statuses[1]);
    }
  });
});

describe('file saved by another program between check and write', () => {
  it('is neither replaced nor deleted', async () => {
    const vault = await httpVault({ 'a.md': 'old\n' });
    const tag = await tagOf(vault, 'a.md');
    // The view of a client with a token.
    const keepsake = vault.keepsake.restricted;
    const readFile = keepsake.readFile.bind(keepsake);
    const save = (): void => writeFileSync(join(vault.folder, 'a.md'), 'saved meanwhile\n');
    const answerTo = async (send: () => Promise<Response>) => {
      writeFileSync(join(vault.folder, 'a.md'), 'old\n');
      keepsake.readFile = async (path) => {
        const read = await readFile(path);
        keepsake.readFile = readFile;
        save();
        return read;
      };
      return readProblem(await send());
    };
    const remove = () => vault.send('/files/a.md', { method: 'DELETE', headers: { 'if-match': tag } });
    expect(await answerTo(remove)).toMatchObject({ status: 412, code: 'changed-since' });
    expect(vault.text('a.md')).toBe('saved meanwhile\n');
    const replace = () => put(vault, 'a.md', 'new\n', { 'if-match': tag });
    expect(await answerTo(replace)).toMatchObject({ status: 412, code: 'changed-since' });
    expect(vault.text('a.md')).toBe('saved meanwhile\n');
  });
});

describe('DELETE file', () => {
  it('requires the revision and can be undone', async () => {
    const vault = await httpVault({ 'a.md': 'text\n', 'b.png': png });
    const remove = (path: string, headers: Record<string, string> = {}) =>
      vault.send(`/files/${path}`, { method: 'DELETE', headers });
    expect(await readProblem(await remove('a.md'))).toMatchObject({ status: 428 });
    expect(await readProblem(await remove('a.md', { 'if-match': '"x"' }))).toMatchObject({ status: 412 });
    expect(vault.text('a.md')).toBe('text\n');
    const response = await remove('a.md', { 'if-match': await tagOf(vault, 'a.md') });
    const { change, revision } = api.fileWriteResponse.parse(await response.json());
    expect(revision).toBeNull();
    expect(vault.text('a.md')).toBeNull();
    await vault.get(`/history/${change}/undo`, { method: 'POST' });
    expect(vault.text('a.md')).toBe('text\n');
    expect((await remove('b.png', { 'if-match': '*' })).status).toBe(200);
    expect(await readProblem(await remove('b.png', { 'if-match': '*' }))).toMatchObject({ status: 404 });
    expect(await readProblem(await remove('profile.md', { 'if-match': '*' }))).toMatchObject({ status: 422 });
    expect(await readProblem(await remove('inbox', { 'if-match': '*' }))).toMatchObject({ status: 422 });
  });

  it('deletes a folder and all of its files if the request has the header If-Match: *', async () => {
    const vault = await httpVault({ 'notes/a.md': 'a', 'notes/more/b.md': 'b', 'c.md': 'c' });
    const remove = (match: string) =>
      vault.send('/files/notes', { method: 'DELETE', headers: { 'if-match': match } });
    expect(await readProblem(await remove('"x"'))).toMatchObject({ status: 404, code: 'no-such-file' });
    const { change } = api.fileWriteResponse.parse(await (await remove('*')).json());
    expect([vault.text('notes/a.md'), vault.text('notes/more/b.md'), vault.text('c.md')]).toEqual([
      null,
      null,
      'c',
    ]);
    await vault.get(`/history/${change}/undo`, { method: 'POST' });
    expect([vault.text('notes/a.md'), vault.text('notes/more/b.md')]).toEqual(['a', 'b']);
  });
});

describe('POST files/move', () => {
  it('moves a file or folder, updates links and overwrites nothing', async () => {
    const vault = await httpVault({ 'bucket/a.md': 'x', 'b.md': '[a](bucket/a.md)', 'bucket/c.md': 'y' });
    const move = (from: string, to: string) => vault.send('/files/move', { json: { from, to } });
    const response = await move('bucket/a.md', 'projects/x/a.md');
    const moved = api.moveResponse.parse(await response.json());
    expect(moved.changes).toMatchObject([
      { kind: 'moved', path: 'vault/projects/x/a.md', from: 'vault/bucket/a.md' },
      { kind: 'changed', path: 'vault/b.md' },
    ]);
    expect(moved.text).toContain('; updated 1 link in 1 note');
    expect(moved.links).toBe(1);
    expect(vault.text('b.md')).toBe('[a](projects/x/a.md)');
    expect(readFileSync(join(vault.folder, 'projects/x/a.md'), 'utf8')).toBe('x');
    expect(await readProblem(await move('bucket/c.md', 'b.md'))).toMatchObject({
      status: 409,
      code: 'conflict',
    });
    expect(await readProblem(await move('nothing.md', 'n.md'))).toMatchObject({
      status: 404,
      code: 'no-such-file',
    });
    expect(await readProblem(await move('profile.md', 'p.md'))).toMatchObject({
      status: 422,
      code: 'refused',
    });
    expect(await readProblem(await move('projects/x', 'projects/x/y'))).toMatchObject({ status: 422 });
    expect((await move('projects/x/', 'projects/z')).status).toBe(200);
    await vault.get(`/history/${moved.change}`);
  });
});

describe('an export', () => {
  const files = { 'a.md': '# A\n', 'projects/été/state.md': 'Fine.\n', 'projects/boat/state.md': 'Leaks.\n' };
  /** The files of an archive, without their stamps. */
  const unpack = async (response: Response): Promise<Record<string, string>> => {
    expect(response.status).toBe(200);
    const bytes = Buffer.from(await response.arrayBuffer());
    const unpacked: Record<string, string> = {};
    const zip = await fromBufferPromise(bytes);
    for await (const entry of zip.eachEntry())
      unpacked[entry.fileName] = String(await buffer(await zip.openReadStreamPromise(entry)));
    return unpacked;
  };

  it('is an archive of a folder, or of the whole vault, byte for byte', async () => {
    const vault = await httpVault(files);
    const response = await vault.send('/export?path=projects', { token: vault.reader });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': "attachment; filename*=UTF-8''projects.zip",
      'cache-control': 'no-store',
    });
    expect(await unpack(response)).toEqual({ 'été/state.md': 'Fine.\n', 'boat/state.md': 'Leaks.\n' });
    const whole = await unpack(await vault.send('/export', { token: vault.owner }));
    expect(whole).toMatchObject({ 'a.md': '# A\n', 'projects/boat/state.md': 'Leaks.\n' });
    expect(Object.keys(whole).filter((name) => /(?:^|\/)\./.test(name))).toEqual([]);
  });

  it('names the files that it leaves out, except to a token', async () => {
    const vault = await httpVault(files);
    const boat = join(vault.folder, 'projects/boat');
    const taken = 'not-in-this-archive.txt';
    for (const name of ['b\\c.md', 'line\nbreak\\.md', taken, 'state (conflicted copy 2026-07-14).md'])
      writeFileSync(join(boat, name), 'x\n');
    writeFileSync(Buffer.from(`${boat}/latin-\xe9.md`, 'latin1'), 'x\n');
    writeFileSync(join(vault.folder, 'elsewhere\\.md'), 'x\n');
    await vault.keepsake.catalogue.refresh();
    const unpacked = await unpack(await vault.send('/export?path=projects/boat', { token: vault.owner }));
    expect(Object.keys(unpacked)).toEqual([taken, 'state.md', 'not-in-this-archive-2.txt']);
    expect(unpacked['not-in-this-archive-2.txt']?.split('\n').toSorted()).toEqual([
      '',
      '',
      'These files are in the folder, but not in this archive:',
      'b\\c.md: a name cannot contain a backslash; rename it',
      'latin-\ufffd.md: its name is not UTF-8; rename it',
      'line\\nbreak\\.md: a name cannot contain a backslash; rename it',
      'state (conflicted copy 2026-07-14).md: a conflict copy that is not merged yet',
    ]);
    const byToken = await unpack(await vault.send('/export?path=projects/boat'));
    expect(Object.keys(byToken)).toEqual([taken, 'state.md']);
  });

  it('needs a credential and a folder that exists', async () => {
    const vault = await httpVault(files);
    expect((await vault.send('/export', { token: null })).status).toBe(401);
    for (const path of ['a.md', 'none', '../etc', '.keepsake'])
      expect((await vault.send(`/export?path=${path}`)).status).toBeGreaterThanOrEqual(400);
  });

  it('breaks off if a file cannot be read, instead of leaving it out', async () => {
    const broken = streamZip([
      { name: 'a', modifiedAt: 0, read: async () => Buffer.from('a') },
      { name: 'b', modifiedAt: 0, read: () => Promise.reject(new Error('gone')) },
    ]);
    await expect(new Response(broken).arrayBuffer()).rejects.toThrow('gone');
  });
});
