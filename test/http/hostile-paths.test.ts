import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it, onTestFailed, onTestFinished } from 'vitest';
import { hostilePaths, layTraps, secret } from '../hostile-paths.ts';
import { httpVault } from './http-vault.ts';
import type { HttpVault, Send } from './http-vault.ts';

async function trapped(): Promise<HttpVault> {
  const vault = await httpVault();
  const server = await layTraps(vault.folder);
  onTestFinished(() => void server.close());
  return vault;
}

/** Everything that no request may change: what lies outside, and what is hidden. */
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

/** In a URL: as a whole, so that slashes are data; part by part; and as it is, so that the parser has its say. */
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
  it.each(Object.entries(addresses))(
    '%s: nothing from outside is shown or changed, nothing hangs, nothing breaks',
    { timeout: 240_000 },
    async (_, addressOf) => {
      const vault = await trapped();
      const before = guarded(vault);
      // A request that hangs is ended by the timeout of this test; which one it was is said then.
      let shown = '';
      onTestFailed(() => console.error(`the last request was about ${shown}`));
      for (const path of hostilePaths(vault.folder)) {
        shown = JSON.stringify(path.slice(0, 60));
        const [address, send] = addressOf(path);
        const response = await vault.send(address, send);
        const said = await response.text();
        const told = said.replaceAll(`${secret}x`, '');
        expect(told.includes(secret) || told.includes('root:x:'), `secret in the answer to ${shown}`).toBe(
          false,
        );
        // 503 is our own refusal at the last moment.
        expect(response.status, `${shown}: ${said.slice(0, 300)}`).not.toBe(500);
      }
      expect(guarded(vault)).toBe(before);
      expect(vault.log.filter(({ event }) => event === 'error')).toEqual([]);
    },
  );
});
