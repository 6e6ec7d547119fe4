import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { selectEncoding } from './encoding.ts';

type WebResponse = { status: 200; body: Uint8Array<ArrayBuffer>; headers: Record<string, string> };

/** Returns the response for a path; null if the web interface has no such file or page. */
export type WebAssets = (path: string, acceptEncoding?: string | null) => WebResponse | null;

/** Paths that the router of the web interface handles. */
const views =
  /^\/(?:$|(?:file|activity|answers|calendar|inbox|search|settings|share|tags|tasks)(?:\/|$)|consent\/[\w-]+$)/;
const ownFile =
  /^\/(?:assets\/[\w.-]+|icon\.svg|icon-(?:192|512)\.png|manifest\.webmanifest|share-worker\.js)$/;

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

/** `blob:` is for previews of attachments before they are sent. Nothing is loaded from other origins. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/**
 * Serves the built web interface. It contains no user data, so it needs no session; without one, the page explains how to
 * sign in. Browsers cache file names with a hash forever and revalidate the page that refers to them.
 */
export function createWebAssets(folder: string, prefix = ''): WebAssets {
  return createAssetServer(folder, (path) => (views.test(path) ? 'index.html' : null), prefix);
}

/** Serves the page that lists the vaults of a server. */
export function createVaultIndexAssets(folder: string): WebAssets {
  return createAssetServer(folder, (path) => (path === '/' ? 'vaults.html' : null), '');
}

/** Serves the files that all vaults share, without any page. */
export function createSharedAssets(folder: string): WebAssets {
  return createAssetServer(folder, () => null, '');
}

type Encoded = { body: Uint8Array<ArrayBuffer> | null; encoding: 'br' | 'gzip' | null };

/** Smaller files fit into one packet anyway. */
const minCompressedBytes = 1_000;

/** Pages are small and read on every request, so they are not compressed. */
function isCompressible(name: string): boolean {
  return ['.js', '.css', '.svg'].includes(extname(name));
}

function createAssetServer(
  folder: string,
  pageAt: (path: string) => string | null,
  prefix: string,
): WebAssets {
  const cache = new Map<string, Uint8Array<ArrayBuffer> | null>();
  /** The web manifest is specific to the vault; all other files are shared. */
  const pageFrom = (text: string): Uint8Array<ArrayBuffer> =>
    new TextEncoder().encode(text.replace('"/manifest.webmanifest"', `"${prefix}/manifest.webmanifest"`));
  const read = (name: string): Uint8Array<ArrayBuffer> | null => {
    const file = join(folder, name);
    // Pages are not cached: after an upgrade they refer to other files.
    if (name.endsWith('.html')) return existsSync(file) ? pageFrom(readFileSync(file, 'utf8')) : null;
    const known = cache.get(name) ?? (existsSync(file) ? new Uint8Array(readFileSync(file)) : null);
    if (known !== null) cache.set(name, known);
    return known;
  };
  /** Brotli from the build; otherwise gzip, compressed when the file is first requested. */
  const readCompressed = (name: string, acceptEncoding: string | null): Encoded => {
    const plain = { body: read(name), encoding: null };
    const encoding = isCompressible(name) ? selectEncoding(acceptEncoding) : null;
    if (plain.body === null || encoding === null || plain.body.length < minCompressedBytes) return plain;
    const brotli = encoding === 'br' ? read(`${name}.br`) : null;
    if (brotli !== null) return { body: brotli, encoding: 'br' };
    const body = cache.get(`${name}.gz`) ?? new Uint8Array(gzipSync(plain.body));
    cache.set(`${name}.gz`, body);
    return { body, encoding: 'gzip' };
  };
  return (path, acceptEncoding = null) => {
    const name = ownFile.test(path) ? path.slice(1) : pageAt(path);
    if (name === null) return null;
    const { body, encoding } = readCompressed(name, acceptEncoding);
    if (body === null) return null;
    return {
      status: 200,
      body,
      headers: {
        ...headers,
        ...(isCompressible(name) && { vary: 'accept-encoding' }),
        ...(encoding !== null && { 'content-encoding': encoding }),
        'content-type': types[extname(name)] ?? 'application/octet-stream',
        'cache-control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      },
    };
  };
}
