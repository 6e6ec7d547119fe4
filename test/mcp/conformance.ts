// Runs the official conformance suite against the MCP server: node test/mcp/conformance.ts [revision]
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { openKeepsake, readPackageVersion, readEnvironment } from '../../packages/vault/src/app/index.ts';
import { createLocalBackend, createMcpHttp } from '../../packages/vault/src/server/mcp/index.ts';
import { initVault } from '../../packages/vault/src/vault/index.ts';
import { createFixture } from './conformance/fixture.ts';
import { startHttp } from './http-server.ts';
import { findInstalled } from './installed.ts';

const revisions = ['2026-07-28', '2025-11-25'];

type Outcome = { code: number; passed: Set<string>; output: string };

const readList = (file: string): string[] =>
  (parse(readFileSync(file, 'utf8')) as { server: string[] }).server;

/** Runs the scenarios of a revision against one server. */
async function judge(
  suite: string,
  revision: string,
  url: string,
  failures: string,
  folder: string,
): Promise<Outcome> {
  const file = fileURLToPath(new URL(`./conformance/${failures}.yaml`, import.meta.url));
  const args = ['server', '--url', url, '--requirements', revision, '--expected-failures', file];
  const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
    execFile(
      process.execPath,
      [suite, ...args, '-o', folder],
      { cwd: folder, maxBuffer: 1e8 },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : 1, output: `${stdout}${stderr}` }),
    );
  });
  // The suite reports a scenario as passed even if nothing could be checked or there were only warnings.
  const expected = new Set(readList(file));
  const marked = [...output.matchAll(/^✓ ([\w/-]+): [1-9]\d* passed/gm)].map(([, name = '']) => name);
  return { code, passed: new Set(marked.filter((name) => !expected.has(name))), output };
}

/** Prints the result of each scenario; returns true if all are as expected. */
function report(revision: string, required: string[], ours: Outcome, fixture: Outcome): boolean {
  const byOurs = required.filter((name) => ours.passed.has(name));
  const byFixture = required.filter((name) => !ours.passed.has(name) && fixture.passed.has(name));
  const byNone = required.filter((name) => !ours.passed.has(name) && !fixture.passed.has(name));
  console.log(`${revision}: ${required.length} scenarios are required`);
  console.log(`  ${byOurs.length} pass on Keepsake's server: ${byOurs.join(', ')}`);
  console.log(`  ${byFixture.length} need fixture tools and pass on the fixture: ${byFixture.join(', ')}`);
  console.log(`  ${byNone.length} do not apply, see fixture-failures.yaml: ${byNone.join(', ')}`);
  for (const [name, { code, output }] of Object.entries({ keepsake: ours, fixture }))
    if (code !== 0)
      console.log(`  not as expected on ${name}:\n${output.slice(output.indexOf('=== SUMMARY'))}`);
  return ours.code === 0 && fixture.code === 0;
}

const installed = findInstalled();
if ('missing' in installed) {
  console.log(`skipped: ${installed.missing}`);
  process.exit(0);
}
const suite = installed.file('@modelcontextprotocol/conformance', 'dist/index.js');
const root = mkdtempSync(join(tmpdir(), 'keepsake-conformance-'));
initVault(join(root, 'vault'), { language: 'en', home: root, clock: Date.now });
const environment = readEnvironment({ PATH: process.env['PATH'] });
const keepsake = await openKeepsake({ vault: join(root, 'vault'), state: join(root, 'state'), environment });
const http = createMcpHttp(createLocalBackend(keepsake, environment), {
  isReadOnly: false,
  version: readPackageVersion(),
  origin: 'conformance',
});
const fixture = createFixture();
const ours = await startHttp((request) => http.fetch(request, { connection: 'token test', scope: 'write' }));
const theirs = await startHttp((request) => fixture.fetch(request));
const results: boolean[] = [];
for (const revision of process.argv[2] === undefined ? revisions : [process.argv[2]]) {
  const file = installed.file('@modelcontextprotocol/conformance', `requirements/${revision}.yaml`);
  const byOurs = await judge(suite, revision, ours.url, 'keepsake-failures', root);
  const byFixture = await judge(suite, revision, theirs.url, 'fixture-failures', root);
  results.push(report(revision, readList(file), byOurs, byFixture));
}
await Promise.all([http.close(), fixture.close()]);
await Promise.all([ours.close(), theirs.close()]);
await keepsake.close();
rmSync(root, { recursive: true, force: true });
process.exitCode = results.includes(false) ? 1 : 0;
