import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

type WebResponse = { status: 200; body: Uint8Array<ArrayBuffer>; headers: Record<string, string> };

/** What a browser gets at this path; null when the web interface has nothing there. */
export type WebAssets = (path: string) => WebResponse | null;

/** Addresses that the interface itself knows how to show. */
const views = /^\/(?:$|(?:file|activity|answers|inbox|search|settings|share)(?:\/|$)|consent\/[\w-]+$)/;
const ownFile =
  /^\/(?:assets\/[\w.-]+|icon\.svg|icon-(?:192|512)\.png|manifest\.webmanifest|share-worker\.js)$/;

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};

/** `blob:` is for previews of what is about to be sent; nothing of another origin is ever loaded. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
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
 * Serves the built interface. It holds no data of anybody, so it needs no session: without one it says how to get one.
 * Names with a hash never change and are kept by browsers; the page that names them is asked for each time.
 */
export function createWebAssets(folder: string, prefix = ''): WebAssets {
  return assetsIn(folder, (path) => (views.test(path) ? 'index.html' : null), prefix);
}

/** In place of a vault: the page that lists those of a server. */
export function createListAssets(folder: string): WebAssets {
  return assetsIn(folder, (path) => (path === '/' ? 'vaults.html' : null), '');
}

/** What is the same for all vaults, and no page. */
export function createSharedAssets(folder: string): WebAssets {
  return assetsIn(folder, () => null, '');
}

function assetsIn(folder: string, pageAt: (path: string) => string | null, prefix: string): WebAssets {
  const held = new Map<string, Uint8Array<ArrayBuffer> | null>();
  /** What is installed from it is this vault; everything else it names is the same for all. */
  const pageFrom = (text: string): Uint8Array<ArrayBuffer> =>
    new TextEncoder().encode(text.replace('"/manifest.webmanifest"', `"${prefix}/manifest.webmanifest"`));
  const read = (name: string): Uint8Array<ArrayBuffer> | null => {
    const file = join(folder, name);
    // The page is read anew: after an upgrade it names other files.
    if (name.endsWith('.html')) return existsSync(file) ? pageFrom(readFileSync(file, 'utf8')) : null;
    const known = held.get(name) ?? (existsSync(file) ? new Uint8Array(readFileSync(file)) : null);
    if (known !== null) held.set(name, known);
    return known;
  };
  return (path) => {
    const name = ownFile.test(path) ? path.slice(1) : pageAt(path);
    const body = name === null ? null : read(name);
    if (name === null || body === null) return null;
    return {
      status: 200,
      body,
      headers: {
        ...headers,
        'content-type': types[extname(name)] ?? 'application/octet-stream',
        'cache-control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      },
    };
  };
}
