import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFailed, onTestFinished } from 'vitest';
import { hostilePaths, layTraps, secret } from '../hostile-paths.ts';
import { sampleOf } from '../sample-of.ts';
import { call, connectHttp, connectStdio } from './clients.ts';
import { mcpVault } from './mcp-vault.ts';
import type { McpVault } from './mcp-vault.ts';

async function trapped(): Promise<McpVault> {
  const vault = await mcpVault();
  const server = await layTraps(vault.folder);
  onTestFinished(() => void server.close());
  return vault;
}

/** The contents of all files outside the vault that the traps point to. */
function outside(vault: McpVault): string[] {
  const parent = join(vault.folder, '..');
  return readdirSync(parent, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() &&
        !entry.parentPath.startsWith(vault.folder) &&
        !entry.parentPath.startsWith(vault.state),
    )
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => `${file}: ${readFileSync(file, 'utf8')}`)
    .toSorted();
}

type Attempt = (client: Client, path: string) => Promise<unknown>;

const attempts = {
  vault_read: (client, path) => call(client, 'vault_read', { paths: path }),
  vault_concat: (client, path) => call(client, 'vault_concat', { files: [{ path }] }),
  vault_tree: (client, path) => call(client, 'vault_tree', { path }),
  vault_write: (client, path) => call(client, 'vault_write', { path, content: 'hostile\n' }),
  vault_append: (client, path) => call(client, 'vault_append', { path, content: 'hostile', position: 'top' }),
  async vault_move(client, path) {
    await call(client, 'vault_write', { path: 'bucket/from.md', content: 'hostile\n' });
    return call(client, 'vault_move', { from: 'bucket/from.md', to: path });
  },
  vault_delete: (client, path) => call(client, 'vault_delete', { path }),
  'a resource': (client, path) => client.readResource({ uri: `vault://${path}` }),
  'an encoded resource': (client, path) =>
    client.readResource({ uri: `vault://${encodeURIComponent(path.toWellFormed())}` }),
} satisfies Record<string, Attempt>;

/** The text of the result or error of an attempt. A lone surrogate cannot be sent at all. */
async function told(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(JSON.stringify, (error: unknown) => `${String(error)} ${JSON.stringify(error)}`);
}

const overStdio = (vault: McpVault) => connectStdio(vault, 'legacy');
const overHttp = ({ http }: McpVault) => connectHttp(http, 'modern');
const ways: [string, Attempt, (vault: McpVault) => Promise<Client>][] = [
  ...Object.entries(attempts).map(([name, attempt]): (typeof ways)[number] => [name, attempt, overStdio]),
  // Over HTTP, a header also contains the URI of the resource.
  ['a resource over HTTP', attempts['a resource'], overHttp],
  ['vault_read over HTTP', attempts.vault_read, overHttp],
];

describe('hostile paths', () => {
  it.each(ways.map(([name, attempt, connect], way) => ({ name, attempt, connect, way })))(
    'used with $name give no access to anything outside the vault, and leave the server working',
    async ({ attempt, connect, way }) => {
      const vault = await trapped();
      const before = outside(vault);
      const client = await connect(vault);
      // If a path hangs, the test timeout ends it and reports which one it was.
      let shown = '';
      onTestFailed(() => console.error(`the last path was ${shown}`));
      for (const path of sampleOf(hostilePaths(vault.folder), 3, way)) {
        shown = JSON.stringify(path.slice(0, 60));
        const answer = await told(attempt(client, path));
        const echoed = path.includes(secret);
        expect(
          (!echoed && answer.includes(secret)) || answer.includes('root:x:'),
          `secret in the answer to ${shown}: ${answer.slice(0, 300)}`,
        ).toBe(false);
      }
      expect(outside(vault)).toEqual(before);
      expect(existsSync(join(vault.folder, '.keepsake', 'vault.json'))).toBe(
        existsSync(join(vault.folder, '.keepsake')),
      );
      expect(readFileSync(join(vault.folder, '.env'), 'utf8')).toBe(secret);
      await client.listTools();
    },
  );
});

describe('the resource list', () => {
  it('contains only readable files, none of them hidden, symlinked or outside the vault', async () => {
    const vault = await trapped();
    const client = await connectHttp(vault.http, 'modern');
    const { resources } = await client.listResources();
    expect(JSON.stringify(resources)).not.toContain(secret);
    expect(resources.map(({ uri }) => uri)).toContain('vault://new%0Aline.md');
    for (const { uri } of resources) {
      expect(uri).not.toMatch(/-link|passwd|environ|\/\.|\.env|pipe|socket/);
      const { contents } = await client.readResource({ uri });
      expect(contents).toHaveLength(1);
    }
  });
});
