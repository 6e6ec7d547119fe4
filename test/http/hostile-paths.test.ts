import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it, onTestFailed, onTestFinished } from 'vitest';
import { hostilePaths, layTraps, secret } from '../hostile-paths.ts';
import { sampleOf } from '../sample-of.ts';
import { httpVault } from './http-vault.ts';
import type { HttpVault, Send } from './http-vault.ts';

async function trapped(): Promise<HttpVault> {
  const vault = await httpVault();
  const server = await layTraps(vault.folder);
  onTestFinished(() => void server.close());
  return vault;
}

/** Hashes of everything that no request may change: files outside the vault and hidden files. */
function guarded({ folder }: HttpVault): string {
  return execFileSync(
    'bash',
    [
      '-c',
      'find outside vault-sibling vault/.git vault/.obsidian vault/.env vault/projects/.hidden -type f -exec sha256sum {} + ; ls -a .',
    ],
    { cwd: join(folder, '..'), encoding: 'utf8' },
  );
}

type Address = (path: string) => [string, Send];

/** Three encodings of a path in a URL: as a whole, so that slashes are data; per segment; and unencoded, as input to the parser. */
const inUrl: Record<string, (path: string) => string> = {
  'encoded as a whole': (path) => encodeURIComponent(path.toWellFormed()),
  'encoded part by part': (path) => path.toWellFormed().split('/').map(encodeURIComponent).join('/'),
  'as it is': (path) => path.toWellFormed(),
  'encoded twice': (path) => encodeURIComponent(encodeURIComponent(path.toWellFormed())),
};
const text = { 'content-type': 'text/markdown' };
const addresses: Record<string, Address> = {
  ...Object.fromEntries(
    Object.entries(inUrl).flatMap(([how, encode]): [string, Address][] => [
      [`GET files, ${how}`, (path) => [`/files/${encode(path)}`, {}]],
      [
        `PUT files, ${how}`,
        (path) => [
          `/files/${encode(path)}`,
          { method: 'PUT', body: 'written', headers: { ...text, 'if-none-match': '*' } },
        ],
      ],
      [
        `PUT over files, ${how}`,
        (path) => [
          `/files/${encode(path)}?confirm=true`,
          { method: 'PUT', body: 'written', headers: { ...text, 'if-match': '*' } },
        ],
      ],
      [
        `DELETE files, ${how}`,
        (path) => [`/files/${encode(path)}?confirm=true`, { method: 'DELETE', headers: { 'if-match': '*' } }],
      ],
    ]),
  ),
  'GET tree': (path) => [`/tree?path=${encodeURIComponent(path.toWellFormed())}`, {}],
  'GET history': (path) => [`/history?path=${encodeURIComponent(path.toWellFormed())}`, {}],
  'POST move from': (path) => ['/files/move', { json: { from: path, to: 'bucket/moved.md', confirm: true } }],
  'POST move to': (path) => [
    '/files/move',
    { json: { from: 'projects/x/state.md', to: path, confirm: true } },
  ],
  'POST tools/read': (path) => ['/tools/read', { json: { input: { paths: path } } }],
  'POST tools/concat': (path) => ['/tools/concat', { json: { input: { files: [{ path }] } } }],
  'POST tools/tree': (path) => ['/tools/tree', { json: { input: { path } } }],
  'POST tools/write': (path) => ['/tools/write', { json: { input: { path, content: 'written' } } }],
  'POST tools/append': (path) => [
    '/tools/append',
    { json: { input: { path, content: 'w', position: 'top' } } },
  ],
  'POST tools/delete': (path) => ['/tools/delete', { json: { input: { path }, isConfirmed: true } }],
  'POST search': (path) => ['/search', { json: { queries: ['secret'], scopes: [path] } }],
  'POST verify': (path) => [
    '/verify',
    { json: { document: `\`\`\`${path} (lines 1-1)\n1  | # ${secret}x\n\`\`\`` } },
  ],
  'POST inbox': (path) => [
    `/inbox/${encodeURIComponent(path.toWellFormed())}/answer`,
    { json: { text: 'x' } },
  ],
  'POST tools': (path) => [`/tools/${encodeURIComponent(path.toWellFormed())}`, { json: { input: {} } }],
  'GET updates': (path) => [`/updates/${encodeURIComponent(path.toWellFormed())}`, {}],
};

describe('hostile paths', () => {
  it.each(Object.entries(addresses).map(([name, addressOf], offset) => ({ name, addressOf, offset })))(
    'in $name give no access to anything outside the vault, and cause no hang or crash',
    { timeout: 240_000 },
    async ({ addressOf, offset }) => {
      const vault = await trapped();
      const before = guarded(vault);
      // If a request hangs, the test timeout ends it and reports which one it was.
      let shown = '';
      onTestFailed(() => console.error(`the last request was about ${shown}`));
      for (const path of sampleOf(hostilePaths(vault.folder), 4, offset)) {
        shown = JSON.stringify(path.slice(0, 60));
        const [address, send] = addressOf(path);
        const response = await vault.send(address, send);
        const body = await response.text();
        const shownText = body.replaceAll(`${secret}x`, '');
        expect(
          shownText.includes(secret) || shownText.includes('root:x:'),
          `secret in the answer to ${shown}`,
        ).toBe(false);
        // 503 is a deliberate refusal at the last moment.
        expect(response.status, `${shown}: ${body.slice(0, 300)}`).not.toBe(500);
      }
      expect(guarded(vault)).toBe(before);
      expect(vault.log.filter(({ event }) => event === 'error')).toEqual([]);
    },
  );
});
