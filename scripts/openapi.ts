// Writes docs/reference/openapi.json from the routes of the server. With --check it only compares.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { otherReason } from '../packages/vault/src/contract/index.ts';
import { openKeepsake, readPackageVersion, readEnvironment } from '../packages/vault/src/app/index.ts';
import {
  createAuth,
  createHttpApp,
  openSessionStore,
  openTokens,
} from '../packages/vault/src/server/index.ts';

const file = 'docs/reference/openapi.json';
const described = JSON.stringify(await describe());
const present = readFileSync(file, { encoding: 'utf8', flag: 'a+' }) || 'null';
if (JSON.stringify(JSON.parse(present)) !== described) {
  if (process.argv.includes('--check')) {
    console.error(`${file} is not up to date; run: node scripts/openapi.ts`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, described);
    execFileSync('node_modules/.bin/oxfmt', [file]);
  }
}

async function describe(): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-openapi-'));
  mkdirSync(join(folder, 'vault'));
  const keepsake = await openKeepsake({
    vault: join(folder, 'vault'),
    state: join(folder, 'state'),
    environment: readEnvironment({}),
  });
  const clock = Date.now;
  const host = '127.0.0.1:4100';
  const auth = createAuth({
    host: '127.0.0.1',
    port: 4100,
    secret: '',
    tokens: openTokens(keepsake),
    sessions: openSessionStore(keepsake),
    clock,
  });
  const app = createHttpApp({
    keepsake,
    auth,
    clock,
    vaultName: 'vault',
    mcp: null,
    log: () => undefined,
    version: readPackageVersion(),
    model: () => ({ missing: otherReason('') }),
    environment: readEnvironment({}),
  });
  const response = await app.request(`http://${host}/openapi.json`, { headers: { host } });
  await keepsake.close();
  rmSync(folder, { recursive: true });
  return response.json();
}
