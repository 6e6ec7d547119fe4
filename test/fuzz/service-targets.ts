import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { otherReason } from '../../packages/vault/src/contract/index.ts';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import {
  createAuth,
  createHttpApp,
  openSessionStore,
  openTokens,
} from '../../packages/vault/src/server/index.ts';
import { createLocalBackend, createMcpHttp } from '../../packages/vault/src/server/mcp/index.ts';
import { initVault } from '../../packages/vault/src/vault/index.ts';
import { processVariables } from '../process-variables.ts';
import { must } from './target.ts';
import type { Opened, Target } from './target.ts';

const port = 4100;

/** Opens a vault with its server, which is called without a network port; requests use a token with write access. */
async function openService(
  address: string,
  contentType: string,
  look: (response: Response) => Promise<void>,
): Promise<Opened> {
  const root = mkdtempSync(join(tmpdir(), 'keepsake-fuzz-vault-'));
  const vault = join(root, 'vault');
  const environment = readEnvironment({ ...processVariables, HOME: root });
  initVault(vault, { language: 'en', home: root, clock: Date.now });
  writeFileSync(join(vault, 'note.md'), '# Note\none\ntwo\n');
  const keepsake = await openKeepsake({ vault, state: join(root, 'state'), environment });
  const tokens = openTokens(keepsake);
  const sessions = openSessionStore(keepsake);
  const auth = createAuth({
    host: '127.0.0.1',
    port,
    secret: 'of-the-owner',
    tokens,
    sessions,
    clock: Date.now,
  });
  const mcp = createMcpHttp(createLocalBackend(keepsake, environment), {
    isReadOnly: false,
    version: '0.0.0',
    origin: 'mcp',
  });
  const app = createHttpApp({
    keepsake,
    auth,
    mcp,
    clock: Date.now,
    vaultName: 'notes',
    log: () => undefined,
    version: '0.0.0',
    limits: { burst: 1e9, requestsPerSecond: 1e9 },
    model: () => ({ missing: otherReason('none is chosen') }),
    environment,
  });
  const { secret } = tokens().create('fuzz', 'write');
  return {
    async run(input) {
      const response = await app.request(`http://127.0.0.1:${port}${address}`, {
        method: 'POST',
        headers: {
          host: `127.0.0.1:${port}`,
          authorization: `Bearer ${secret}`,
          accept: 'application/json, text/event-stream',
          'content-type': contentType,
        },
        body: Uint8Array.from(input),
      });
      must(response.status < 500, `the server answers ${response.status}`);
      await look(response);
    },
    async close() {
      await mcp.close();
      await keepsake.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

export const multipart: Target = {
  full: 10_000,
  maxBytes: 6_000,
  words: [
    '--fuzzed\r\n',
    '--fuzzed--\r\n',
    '\r\n',
    '\r\n\r\n',
    'Content-Disposition: form-data; name="text"',
    'name="files"; filename="a.txt"',
    "filename*=UTF-8''%e2%82",
    'name="key"',
    'name="sourceKind"\r\n\r\nperson',
    'name="__proto__"',
    'Content-Type: text/plain',
    'Content-Transfer-Encoding: base64',
    '"',
    ';',
    '--fuzzed',
    '\0',
    '../',
  ],
  open: () =>
    openService('/api/vaults/notes/updates', 'multipart/form-data; boundary=fuzzed', async (response) => {
      const body = (await response.json()) as { status?: unknown; code?: unknown };
      must(
        response.status === 202 ? body.status === 'accepted' : typeof body.code === 'string',
        'an update is accepted, or rejected with a reason',
      );
    }),
};

export const rpc: Target = {
  full: 15_000,
  maxBytes: 6_000,
  words: [
    '{"jsonrpc":"2.0","id":1,"method":"',
    '"}',
    '"tools/call"',
    '"tools/list"',
    '"resources/read"',
    '"prompts/get"',
    '"params":{',
    '"name":"vault_read"',
    '"name":"vault_edit"',
    '"arguments":{"paths":["',
    '"uri":"vault://',
    '"id":null',
    '"id":',
    '[',
    ']',
    '{',
    '}',
    ',',
    ':',
    '"',
    '\\u0000',
    '\\ud800',
    'null',
    'true',
    '1e999',
    '"__proto__":',
    '"_meta":{"progressToken":',
    '"method":"notifications/cancelled"',
    '"jsonrpc":"1.0"',
    '[[[[',
    '"cursor":"',
  ],
  open: () =>
    openService('/mcp', 'application/json', async (response) => {
      const text = await textWithin(response);
      const isEvents = response.headers.get('content-type')?.includes('event-stream') === true;
      for (const message of isEvents
        ? [...text.matchAll(/^data: ([^\r\n]*)/gm)].map(([, data = '']) => data)
        : [text])
        must(message === '' || typeof JSON.parse(message) === 'object', 'the response is JSON');
    }),
};

/** The text that arrives within two seconds, because some streams stay open. */
async function textWithin(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const pieces: Uint8Array[] = [];
  const timeout = AbortSignal.timeout(2_000);
  timeout.addEventListener('abort', () => void reader?.cancel());
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read())
    pieces.push(read.value);
  return Buffer.concat(pieces).toString('utf8');
}
