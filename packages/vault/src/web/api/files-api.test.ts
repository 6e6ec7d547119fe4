import { describe, expect, it } from 'vitest';
import { createFilesApi } from './files-api.ts';
import { createHttp } from './http.ts';

function files(response: Response) {
  const sent: { path: string; headers: unknown }[] = [];
  const http = createHttp(async (path, init) => {
    sent.push({ path, headers: init?.headers });
    return response;
  });
  return { api: createFilesApi(http), sent };
}

const written = () => Response.json({ path: 'vault/a b/c.md', revision: '1', change: null });

describe('the files API client', () => {
  it('sends If-Match for a known version and If-None-Match for a new file', async () => {
    const known = files(written());
    await known.api.save('a b/c.md', 'text', '"1"');
    const fresh = files(written());
    await fresh.api.save('a b/c.md', 'text', null);
    const image = files(written());
    await image.api.uploadImage('a b/c.png', new Blob(['x'], { type: 'image/png' }));
    expect([known.sent, fresh.sent, image.sent].flat()).toEqual([
      {
        path: '/api/vaults/default/files/a%20b/c.md?confirm=true',
        headers: { 'content-type': 'text/markdown', 'if-match': '"1"' },
      },
      {
        path: '/api/vaults/default/files/a%20b/c.md?confirm=true',
        headers: { 'content-type': 'text/markdown', 'if-none-match': '*' },
      },
      {
        path: '/api/vaults/default/files/a%20b/c.png',
        headers: { 'content-type': 'image/png', 'if-none-match': '*' },
      },
    ]);
  });

  it('keeps a byte order mark, and returns no text for a binary file', async () => {
    const headers = { 'content-type': 'text/markdown; charset=utf-8', etag: '"1"' };
    const note = files(new Response('\uFEFF# Note', { headers }));
    expect(await note.api.get('note.md')).toEqual({
      text: '\uFEFF# Note',
      etag: '"1"',
      mediaType: headers['content-type'],
    });
    const image = files(new Response('x', { headers: { 'content-type': 'image/png' } }));
    expect(await image.api.get('a.png')).toEqual({ text: '', etag: '', mediaType: 'image/png' });
  });
});
