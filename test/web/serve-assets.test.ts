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
