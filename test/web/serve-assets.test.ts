import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createWebAssets } from '../../packages/vault/src/server/web/serve-assets.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';

function assets() {
  const folder = temporaryFolder();
  layOut(folder, {
    'web/index.html': '<!doctype html>',
    'web/assets/app-1a2b.js': '1',
    'web/icon.svg': '<svg/>',
    'web/manifest.webmanifest': '{}',
    'web/share-worker.js': '1',
    'secret.txt': 'no',
  });
  return createWebAssets(`${folder}/web`);
}

describe('the assets of the interface', () => {
  it.each([
    '/',
    '/file/projects/x/state.md',
    '/activity',
    '/answers',
    '/answers/1',
    '/inbox',
    '/settings',
    '/share',
  ])('are served at %s without caching, with a strict content security policy', (path) => {
    const served = assets()(path);
    expect(served?.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining(
        "default-src 'none'; script-src 'self'; style-src 'self'",
      ),
    });
  });

  it('are compressed with brotli of the build, otherwise with gzip, and only if the browser accepts it', () => {
    const text = 'const a = 1;\n'.repeat(200);
    const folder = temporaryFolder();
    layOut(folder, {
      'assets/a-1.js': text,
      'assets/a-1.js.br': 'brotli of the build',
      'assets/b-1.js': text,
      'assets/short-1.js': '1',
      'assets/face-1.woff2': text,
    });
    const serve = createWebAssets(folder);
    const read = (path: string, accept: string | null) => {
      const { body = new Uint8Array(), headers = {} } = serve(path, accept) ?? {};
      return [headers['content-encoding'], headers['vary'], Buffer.from(body)] as const;
    };
    expect(read('/assets/a-1.js', null)).toEqual([undefined, 'accept-encoding', Buffer.from(text)]);
    expect(read('/assets/a-1.js', 'gzip, br')[0]).toBe('br');
    expect(read('/assets/a-1.js', 'gzip, br')[2].toString()).toBe('brotli of the build');
    const [encoding, , body] = read('/assets/b-1.js', 'gzip, br');
    expect([encoding, gunzipSync(body).toString()]).toEqual(['gzip', text]);
    expect(read('/assets/a-1.js', 'gzip')[0]).toBe('gzip');
    expect(read('/assets/short-1.js', 'gzip, br')[0]).toBeUndefined();
    expect(read('/assets/face-1.woff2', 'gzip, br')[0]).toBeUndefined();
    // The compressed copies are no files of their own.
    expect(serve('/assets/a-1.js.br')?.headers['content-type']).toBe('application/octet-stream');
  });

  it('have hashed names and are cached forever', () => {
    expect(assets()('/assets/app-1a2b.js')?.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });

  it('include uncached files for installing the app', () => {
    for (const [path, type] of [
      ['/manifest.webmanifest', 'application/manifest+json'],
      ['/share-worker.js', 'text/javascript; charset=utf-8'],
    ] as const)
      expect(assets()(path)?.headers).toMatchObject({ 'content-type': type, 'cache-control': 'no-cache' });
  });

  it.each([
    '/api/health',
    '/mcp',
    '/open',
    '/openapi.json',
    '/assets/../../secret.txt',
    '/assets/none.js',
    '/secret.txt',
    '/filefoo',
  ])('do not exist at %s', (path) => {
    expect(assets()(path)).toBeNull();
  });
});
