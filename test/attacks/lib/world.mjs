// For the attacks in JavaScript: the command under attack, its service, and the verdicts.
// WORLD is a fresh folder with HOME and the XDG folders in it, KEEPSAKE the built command; both come from ../run, or are made
// here when an attack is started alone: node <attack>.mjs <project root>.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve as absolute } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export { sleep };
const children = new Set();
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')));
if (process.env.WORLD === undefined) makeWorld(absolute(process.argv[2] ?? '.'));
export const world = process.env.WORLD;
export const vault = join(world, 'vault');

process.on('SIGTERM', () => process.exit(143));
process.on('uncaughtException', (error) => failed(error.stack.split('\n').slice(0, 3).join(' ')));

const say = (verdict, code) => {
  console.log(verdict.replaceAll('\n', ' '));
  process.exit(code);
};
export const held = () => say('held', 0);
export const broken = (observed) => say(`BROKEN: ${observed}`, 1);
export const skipped = (why) => say(`skipped: ${why}`, 0);
/** When a step that only prepares the attack fails, nothing was shown to hold. */
export const failed = (why) => broken(`the attack could not be carried out: ${why}`);

/** Programs without which the attack cannot be carried out. */
export function needs(...programs) {
  for (const each of programs)
    if (spawnSync(each, ['--version'], { stdio: 'ignore' }).error) skipped(`there is no ${each}`);
}

/** Starts the built command; it ends with the attack. */
export function start(args, options = {}) {
  const child = spawn(process.execPath, [process.env.KEEPSAKE, ...args], {
    ...options,
    env: { ...process.env, ...options.env },
  });
  children.add(child.on('exit', () => children.delete(child)));
  return child;
}

/** Runs a command on the vault to its end; `seconds` is how long it may take. */
export function keepsake(args, { input = '', env = {}, seconds = 60 } = {}) {
  return new Promise((resolve) => {
    // Configuration is not that of a vault.
    const child = start(args[0] === 'config' ? args : [...args, '--vault', vault], { env });
    const done = { code: null, stdout: '', stderr: '' };
    const limit = setTimeout(() => child.kill('SIGKILL'), seconds * 1_000);
    child.stdout.on('data', (part) => (done.stdout += part));
    child.stderr.on('data', (part) => (done.stderr += part));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('close', (code) => {
      clearTimeout(limit);
      resolve({ ...done, code });
    });
  });
}

/** A step that only prepares. */
export async function prepare(...args) {
  const done = await keepsake(args);
  if (done.code !== 0) failed(`keepsake ${args[0]} says: ${done.stderr.trim().split('\n').at(-1)}`);
  return done.stdout;
}

/** A fresh vault with these files. */
export async function newVault(files = {}) {
  await prepare('init');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(vault, path)), { recursive: true });
    writeFileSync(join(vault, path), content);
  }
}

/** What a file of the vault holds; an empty text when it is not there. */
export function text(path) {
  return existsSync(join(vault, path)) ? readFileSync(join(vault, path), 'utf8') : '';
}

export async function newToken(scope) {
  return JSON.parse(await prepare('token', 'create', 'attack', '--scope', scope, '--json')).secret;
}

/** Starts the service, with further options such as `--public`. `call` answers with status and body, JSON where it is. */
export async function serve(env = {}, options = []) {
  // What it prints names the public address, not the port.
  const port = await freePort();
  const child = start(
    [
      'serve',
      ...(options.includes('--vaults') ? [] : ['--vault', vault]),
      '--port',
      String(port),
      ...options,
    ],
    { env },
  );
  const service = { pid: child.pid, log: '', hasEnded: false };
  const ended = new Promise((resolve) => child.on('exit', resolve));
  void ended.then(() => (service.hasEnded = true));
  child.stderr.on('data', (part) => (service.log += part));
  let out = '';
  child.stdout.on('data', (part) => (out += part));
  const isUp = () => /^MCP at |\/open\?code=/m.test(out);
  for (let i = 0; i < 400 && !isUp(); i++) await sleep(100);
  if (!isUp()) failed(`keepsake serve does not start: ${service.log.split('\n')[0]}`);
  await sleep(100);
  const url = `http://127.0.0.1:${port}`;
  return Object.assign(service, {
    url,
    out: () => out,
    async call(token, method, path, body) {
      const response = await fetch(`${url}/api/vaults/default/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(30_000),
      });
      return { status: response.status, body: parseIfJson(await response.text()) };
    },
    async stop() {
      child.kill();
      await ended;
    },
  });
}

/** The one-time link that the service printed at its start. */
export const printedLink = (service) =>
  /https?:\/\/\S+\/open\?code=\S+/.exec(service.out())?.[0] ?? failed('the service prints no link');

/** The cookie that a one-time link sets. */
export async function openLink(service, link) {
  const { pathname, search } = new URL(link);
  const response = await fetch(`${service.url}${pathname}${search}`, { redirect: 'manual' });
  if (response.status !== 303) failed(`a one-time link is answered with ${response.status}`);
  return response.headers.get('set-cookie').split(';')[0];
}

/** A browser with this cookie: `call(method, path, body)`. */
export const browser = (service, cookie) => async (method, path, body) => {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: {
      cookie,
      origin: service.url,
      'sec-fetch-site': 'same-origin',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
    redirect: 'manual',
  });
  return { status: response.status, body: parseIfJson(await response.text()) };
};

function parseIfJson(answer) {
  try {
    return JSON.parse(answer);
  } catch {
    return answer;
  }
}

async function freePort() {
  const probe = createServer();
  await new Promise((done) => probe.listen(0, '127.0.0.1', done));
  const { port } = probe.address();
  await new Promise((done) => probe.close(done));
  return port;
}

/** As ../run does it: a temporary folder, and nothing else of the environment. */
function makeWorld(root) {
  const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const made = mkdtempSync(join(tmpdir(), 'keepsake-attack.'));
  for (const each of ['home', 'tmp']) mkdirSync(join(made, each));
  const { PATH } = process.env;
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, {
    PATH,
    LC_ALL: 'C.UTF-8',
    NO_COLOR: '1',
    WORLD: made,
    HOME: join(made, 'home'),
    TMPDIR: join(made, 'tmp'),
  });
  for (const kind of ['state', 'config', 'data', 'cache'])
    process.env[`XDG_${kind.toUpperCase()}_HOME`] = join(made, kind);
  Object.assign(process.env, { PROJECT: root, KEEPSAKE: join(root, bin.keepsake), LIB: import.meta.dirname });
  process.on('exit', () => rmSync(made, { recursive: true, force: true, maxRetries: 5 }));
}
