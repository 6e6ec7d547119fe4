// npm run smoke: packs the product, installs it in an empty folder as a user would, and follows the README. With
// `others`, installs and tries the service and the benchmark instead; with `executable <file> [<older file>]`, tries a
// single executable without Node.js, and the upgrade from an older one; with `windows`, uses the product for Windows under
// Wine.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { installGlobally, megabytes, pack } from './install-packed.ts';

/** Starts the server that `connect` prints, as a client would, then writes a note and finds it, all without a model. */
async function connectClient(vault: string, env: Record<string, string>): Promise<void> {
  const printed = execFileSync('keepsake', ['connect', 'claude-code', '--vault', vault, '--print'], {
    env,
    encoding: 'utf8',
  });
  const { keepsake } = (
    JSON.parse(printed) as { mcpServers: Record<string, { command: string; args: string[] }> }
  ).mcpServers;
  if (keepsake === undefined) throw new Error(`connect printed no server: ${printed}`);
  const transport = new StdioClientTransport({ ...keepsake, env, stderr: 'inherit' });
  const client = new Client({ name: 'smoke', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(transport);
  const call = async (name: string, input: Record<string, unknown>): Promise<string> => {
    const result = await client.callTool({ name, arguments: input });
    if (result.isError === true) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
    return JSON.stringify(result.content);
  };
  const { tools } = await client.listTools();
  await call('vault_write', { path: 'bucket/roof.md', content: 'The roof was repaired in May.\n' });
  const found = await call('vault_search', { queries: ['when was the roof repaired'], mode: 'fast' });
  await client.close();
  if (!found.includes('vault/bucket/roof.md')) throw new Error(`the note was not found: ${found}`);
  if (tools.some(({ name }) => name === 'memory_search'))
    throw new Error('agents are offered without a model');
  console.log(`an MCP client filed a note and found it, with ${tools.length} tools`);
}

/** Imports documents: the converter process must find its packages in the installation. */
function importDocuments(vault: string, home: string, env: Record<string, string>): void {
  const papers = join(home, 'papers');
  mkdirSync(papers);
  writeFileSync(join(papers, 'stock.csv'), 'tool,count\nhammer,3\n');
  writeFileSync(
    join(papers, 'offer.html'),
    '<title>Offer</title><article><h1>Offer</h1><p>An anvil for 90 €.</p></article>',
  );
  copyFileSync('test/fuzz/seeds/pdf/words', join(papers, 'words.pdf'));
  const run = (...args: string[]): string =>
    execFileSync('keepsake', [...args, '--vault', vault], { env, encoding: 'utf8' });
  const { warnings } = JSON.parse(run('import', papers, '--json')) as { warnings: string[] };
  if (warnings.length > 0) throw new Error(warnings.join('\n'));
  for (const [note, words] of [
    ['stock', 'hammer'],
    ['offer', 'anvil'],
  ] as const)
    if (!run('find', words).includes(`vault/bucket/papers/${note}.md`))
      throw new Error(`${note} was not found`);
  console.log('documents were imported and found');
}

/** Serves at a public address, which loads OAuth and passkeys, and checks that they answer. */
async function servePublicly(vault: string, env: Record<string, string>): Promise<void> {
  const args = ['serve', '--port', '0', '--public', 'https://notes.example.org', '--vault', vault];
  const child = spawn('keepsake', args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const url = await new Promise<string>((found, fail) => {
      child.on('exit', () => fail(new Error('keepsake serve --public exited')));
      child.stdout.on('data', () => {
        const owner = execFileSync('keepsake', ['doctor', '--json', '--vault', vault], {
          env,
          encoding: 'utf8',
        });
        const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(owner) ?? [];
        if (address !== undefined) found(address);
      });
    });
    for (const [path, method] of [
      ['/.well-known/oauth-authorization-server', 'GET'],
      ['/api/sign-in/passkey/options', 'POST'],
    ] as const) {
      const response = await fetch(`${url}${path}`, { method });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    }
  } finally {
    child.kill('SIGTERM');
  }
  console.log('OAuth and passkeys answer at a public address');
}

/** Checks that each provider is loaded on use and sends requests to the configured URL. */
async function askEveryProvider(vault: string, env: Record<string, string>): Promise<void> {
  const names = ['anthropic', 'openai', 'google', 'mistral', 'openrouter', 'ollama', 'openai-compatible'];
  let asked = 0;
  const server = createServer((request, response) => {
    if (request.method === 'POST') asked += 1;
    response
      .writeHead(404, { 'content-type': 'application/json' })
      .end('{"error":{"message":"no such model"}}');
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  for (const [index, name] of names.entries()) {
    const child = spawn('keepsake', ['ask', 'What?', '--vault', vault], {
      env: {
        ...env,
        KEEPSAKE_MODEL: `${name}/m`,
        KEEPSAKE_MODEL_BASE_URL: `http://127.0.0.1:${port}`,
        KEEPSAKE_MODEL_API_KEY: 'key',
      },
    });
    const said = (await text(child.stderr)) + (await text(child.stdout));
    if (asked !== index + 1) throw new Error(`${name} sent no request: ${said}`);
  }
  server.close();
  console.log(`${names.length} providers sent requests`);
}

/** Packs a package, checks its contents, and installs it under `prefix`. */
function installPacked(name: 'vault' | 'service' | 'benchmark', prefix: string): void {
  const packed = pack(name, folder);
  const strays = packed.paths.filter((path) => !expectedFiles[name].test(path));
  if (strays.length > 0) throw new Error(`keepsake-${name} contains unexpected files: ${strays.join(', ')}`);
  installGlobally(packed.file, prefix);
}

const program = String.raw`dist/.*\.js|dist/licences\.txt|dist/agents/\w+/prompt(-short)?\.md|package\.json|README\.md|LICENSE|CHANGELOG\.md`;
const web = String.raw`dist/web/.*\.((js|css|svg)(\.br)?|html|png|webmanifest|woff2)`;
const expectedFiles = {
  vault: new RegExp(`^(${program}|${web}|demo/.*\\.md|demo/recording\\.json)$`),
  service: new RegExp(`^(${program}|${web}|chart/.*|cluster\\.yaml)$`),
  benchmark: new RegExp(
    `^(${program}|demo/.*\\.md|demo/recording\\.json|data/.*\\.(md|yaml|jsonl|png|csv|txt)|examples/.*\\.mjs|systems/.*\\.yaml)$`,
  ),
};

/** Links the programs that Keepsake and the README use, so that there is no Node.js. Returns the search path. */
function linkTools(tools: string): string {
  mkdirSync(tools);
  for (const name of ['bash', 'sh', 'cat', 'git', 'bwrap']) {
    const places = (process.env['PATH'] ?? '').split(':').map((each) => join(each, name));
    const found = places.find((each) => existsSync(each));
    if (found !== undefined) symlinkSync(found, join(tools, name));
  }
  return tools;
}

/** Installs an executable, after using an older one, whose change the newer one must find and undo. */
function installExecutables(
  prefix: string,
  env: Record<string, string>,
  file: string,
  older: string | undefined,
): void {
  const installed = join(prefix, 'bin/keepsake');
  mkdirSync(join(prefix, 'bin'), { recursive: true });
  const run = (...args: string[]): string => execFileSync(installed, args, { env, encoding: 'utf8' });
  const vault = join(prefix, 'upgraded');
  copyFileSync(older ?? file, installed);
  run('init', vault);
  execFileSync(installed, ['write', 'bucket/well.md', '--vault', vault], {
    env,
    input: 'The well is deep.\n',
  });
  rmSync(installed);
  copyFileSync(file, installed);
  if (!run('find', 'deep well', '--vault', vault).includes('The well is deep.'))
    throw new Error('the note of the older executable was not found');
  const report = run('doctor', '--vault', vault);
  if (/^(?!ok)/m.test(report.trim()) || report.includes('no atomic exchange')) throw new Error(report);
  const { changes } = JSON.parse(run('history', '--json', '--vault', vault)) as { changes: { id: string }[] };
  run('undo', changes[0]?.id ?? '', '--vault', vault);
  if (existsSync(join(vault, 'bucket/well.md'))) throw new Error('the change was not undone');
  const config = run('connect', 'cursor', '--by-path', '--print', '--vault', vault);
  if (!config.includes(JSON.stringify(installed)))
    throw new Error(`clients start another program: ${config}`);
  console.log(
    `${older === undefined ? 'the same' : 'an older'} executable was replaced; its change was undone`,
  );
}

/** Checks that the installation is small: no database driver, no object store client, no evaluation data. */
function checkInstallation(prefix: string): void {
  const installed = join(prefix, 'lib/node_modules');
  const packages = globSync('**/node_modules/{[^@]*,@*/*}/package.json', { cwd: prefix }).length;
  const size = Math.round(megabytes(prefix));
  console.log(`installed: ${size} MB, ${packages} packages`);
  if (size > 110) throw new Error('the installation is larger than 110 MB');
  if (packages > 110) throw new Error('the installation has more than 110 packages');
  for (const name of ['pg', 'aws4fetch'])
    if (existsSync(join(installed, 'keepsake-vault/node_modules', name)))
      throw new Error(`${name} was installed`);
}

/** Checks that the benchmark package contains its data. */
function measure(env: Record<string, string>): void {
  const run = (...args: string[]): string =>
    execFileSync('keepsake-benchmark', args, { env, encoding: 'utf8' });
  const filed = run('filing', '--baseline', 'append', '--only', 'en-route-state');
  const found = run('retrieval', '--limit', '5');
  if (!/scenarios +1\n/.test(filed) || !found.includes('recall@5'))
    throw new Error(`the evaluation did not run: ${filed}${found}`);
  console.log('the benchmark ran with the data of its package');
}

const folder = mkdtempSync(join(tmpdir(), 'keepsake-smoke-'));
try {
  const prefix = join(folder, 'prefix');
  const home = join(folder, 'home');
  mkdirSync(home);
  const [mode, executable = '', older] = process.argv.slice(2);
  const tools = mode === 'executable' ? linkTools(join(folder, 'tools')) : process.env['PATH'];
  const env = { HOME: home, PATH: `${resolve(prefix, 'bin')}:${tools}`, LANG: 'C.UTF-8' };
  if (mode === 'windows')
    execFileSync(process.execPath, ['test/windows/main.ts', 'smoke'], { stdio: 'inherit' });
  else if (mode === 'others') {
    installPacked('service', prefix);
    console.log(execFileSync('keepsake-service', ['--help'], { env, encoding: 'utf8' }));
    installPacked('benchmark', prefix);
    measure(env);
  } else {
    if (mode === 'executable') installExecutables(prefix, env, executable, older);
    else {
      installPacked('vault', prefix);
      checkInstallation(prefix);
    }
    followReadme(home, env);
    await connectClient(join(home, 'vault'), env);
    importDocuments(join(home, 'vault'), home, env);
    await servePublicly(join(home, 'vault'), env);
    await askEveryProvider(join(home, 'vault'), env);
  }
  if (mode !== 'windows') console.log('smoke passed');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs the first block of commands in the README, except the installation. */
function followReadme(home: string, env: Record<string, string>): void {
  const commands = /```sh\n([\s\S]*?)```/
    .exec(readFileSync('README.md', 'utf8'))?.[1]
    ?.split('\n')
    .filter((line) => /^(?:keepsake|cd) |\| keepsake /.test(line))
    // There is no terminal in which setup could ask.
    .map((line) => line.replace(/^keepsake setup\b/, 'keepsake setup --yes --clients none'));
  if (commands === undefined || commands.length < 2) throw new Error('the README shows no commands to try');
  const { status, stdout, stderr } = spawnSync('bash', ['-euc', commands.join('\n')], {
    cwd: home,
    env,
    encoding: 'utf8',
  });
  console.log(`${commands.map((line) => `$ ${line}`).join('\n')}\n${stdout}${stderr}`);
  if (status !== 0) throw new Error(`the commands of the README failed with ${status}`);
  for (const expected of ['created a vault in', 'overview.md', '7  | The boiler', '  7: The boiler']) {
    if (!stdout.includes(expected))
      throw new Error(`the commands of the README did not print ${JSON.stringify(expected)}`);
  }
}
