import { once } from 'node:events';
import { globSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { createBrowser } from '../oauth/browser.ts';
import type { Browser } from '../oauth/browser.ts';
import { createSoftwarePasskey } from '../oauth/software-passkey.ts';
import type { SoftwarePasskey } from '../oauth/software-passkey.ts';
import { processVariables } from '../process-variables.ts';
import { randomNumbers } from '../random-numbers.ts';
import { makePlace, run, serve, usedBy } from './program.ts';
import { prepareStrangers, register, toAuthorizationPath } from './strangers-requests.ts';
import type { Strangers } from './strangers-requests.ts';

const publicUrl = 'https://notes.example.org';
const atOnce = 64;
/** The address from which half of the requests come; the others come from many. */
const flooder = '203.0.113.1';
const addresses = 250;
const baselineRequests = 60;
/** How much longer 99 of 100 requests of users may take than without strangers, in milliseconds. */
const maxExtraMs = 1_000;
const maxExtraMemoryBytes = 300_000_000;
const maxExtraDiskBytes = 100_000_000;
/** The limits of the server: records of one kind per address in a burst, and then per second. */
const [recordBurst, recordsPerSecond] = [50, 50 / 600];
/** An incomplete body is refused after 10 s, and its connection closed soon after. */
const slowBodyTimeoutMs = 30_000;

/**
 * Sends requests of all kinds without credentials to a public vault, half of them from one address: bodies that never
 * end, registrations, authorizations, passkey challenges, replayed assertions, link previews. Meanwhile a user who is
 * signed in, and one who signs in, are served; what strangers store, and the memory they cost, is bounded.
 */
export async function strangersCampaign(requests: number): Promise<number> {
  const { root, state, place } = makePlace('strangers');
  const port = await findFreePort();
  const { child, link } = await serve([...place, '--public', publicUrl], processVariables, String(port));
  const url = `http://127.0.0.1:${port}`;
  const problems: string[] = [];
  try {
    const users = await prepareUsers(url, place, link);
    const unopened = await users.createLink();
    const strangers = await prepareStrangers({ url, publicUrl, link: unopened });
    const alone = await measureUsers(users, async () => sleep(baselineRequests * 50));
    const before = { memory: usedBy(child.pid ?? 0).memory, disk: diskUsage(state) };
    const startedAt = performance.now();
    const flood = await createFlood(strangers, requests);
    const during = await measureUsers(users, flood.finished);
    const seconds = (performance.now() - startedAt) / 1_000;
    const after = { memory: usedBy(child.pid ?? 0).memory, disk: diskUsage(state) };
    const more = { memory: after.memory - before.memory, disk: after.disk - before.disk };

    const maxRecords = recordBurst + Math.ceil(seconds * recordsPerSecond) + 1;
    for (const [kind, accepted] of Object.entries(flood.acceptedFromFlooder))
      if (accepted > maxRecords)
        problems.push(`${accepted} requests of the kind ${kind} were accepted from one address`);
    problems.push(...flood.failures, ...(await checkUsers(users, { alone, during })));
    problems.push(...checkRecords(state, flood.accepted));
    if (more.memory > maxExtraMemoryBytes) problems.push(`the server uses ${more.memory} more bytes`);
    if (more.disk > maxExtraDiskBytes) problems.push(`the state has ${more.disk} more bytes`);
    const opened = await createBrowser().open(unopened);
    if (opened.status !== 303) problems.push(`the link was used up by a preview: ${opened.status}`);
    if (!(await areAllClosed(strangers)))
      problems.push(`${strangers.slow.size} connections with incomplete bodies are still open`);
    console.log(
      `strangers: ${requests} requests in ${seconds.toFixed(0)} s, ${JSON.stringify(flood.statuses)}; ${(more.memory / 1e6).toFixed(0)} MB more memory, ${(more.disk / 1e6).toFixed(1)} MB more on disk`,
    );
  } finally {
    child.kill('SIGKILL');
    rmSync(root, { recursive: true, force: true });
  }
  for (const problem of problems) console.log(`FAILED: ${problem}`);
  return problems.length;
}

type Users = {
  /** Requests of a user who is signed in, and a sign-in with a passkey. Each returns why it failed, or null. */
  work: () => Promise<string | null>;
  signIn: () => Promise<string | null>;
  /** Looks at the consent request of a program that was registered before the flood. */
  consent(): Promise<string | null>;
  createLink(): Promise<string>;
};

async function prepareUsers(url: string, place: string[], link: string): Promise<Users> {
  const api = `${url}/api/vaults/default`;
  const toLocal = (shown: string): string => shown.replace(publicUrl, url);
  const own = createBrowser();
  await own.open(toLocal(link));
  const member = createBrowser();
  const [invitation = ''] = run(['people', 'invite', 'Ada', '--role', 'writer', ...place]).split('\n');
  await member.open(toLocal(invitation));
  const passkey = createSoftwarePasskey(publicUrl);
  await registerPasskey(api, member, passkey);
  const { client_id: client } = await register(url, '192.0.2.2');
  const consentPath = (await own.open(`${url}${toAuthorizationPath(client)}`)).headers.get('location') ?? '';
  let notes = 0;
  const expectStatus = async (response: Response, status: number, what: string): Promise<string | null> => {
    const text = await response.text();
    return response.status === status ? null : `${what}: ${response.status} ${text.slice(0, 100)}`;
  };
  return {
    async work() {
      notes += 1;
      const input = { path: `bucket/note-${notes % 50}.md`, content: `${notes}\n` };
      return (
        (await expectStatus(await own.ask(`${api}/tools/write`, { json: { input } }), 200, 'write')) ??
        expectStatus(await own.ask(`${api}/tree`), 200, 'tree')
      );
    },
    async signIn() {
      const browser = createBrowser();
      const headers = { 'x-forwarded-for': '192.0.2.3' };
      const options = await browser.ask(`${url}/api/sign-in/passkey/options`, { method: 'POST', headers });
      const { challenge } = (await options.json()) as { challenge?: string };
      if (challenge === undefined) return `challenge: ${options.status}`;
      const json = passkey.get(challenge);
      const signedIn = await browser.ask(`${url}/api/sign-in/passkey`, { json, headers });
      return (
        (await expectStatus(signedIn, 204, 'sign-in')) ??
        expectStatus(await browser.ask(`${api}/tree`), 200, 'tree after the sign-in')
      );
    },
    consent: async () => expectStatus(await own.ask(`${url}${consentPath}/request`), 200, 'consent'),
    async createLink() {
      const response = await own.ask(`${api}/links`, { method: 'POST' });
      return toLocal(((await response.json()) as { url: string }).url);
    },
  };
}

async function registerPasskey(api: string, browser: Browser, passkey: SoftwarePasskey): Promise<void> {
  const options = await browser.ask(`${api}/passkeys/options`, { method: 'POST' });
  const { challenge } = (await options.json()) as { challenge: string };
  const json = { name: 'phone', made: passkey.create(challenge) };
  const added = await browser.ask(`${api}/passkeys`, { json });
  if (added.status !== 204) throw new Error(`the passkey was not registered: ${added.status}`);
}

type Measured = { work: number[]; signIn: number[]; failures: string[] };

/** Has both users work until `others` is over. */
async function measureUsers({ work, signIn }: Users, others: () => Promise<void>): Promise<Measured> {
  const measured: Measured = { work: [], signIn: [], failures: [] };
  const stopping = new AbortController();
  const repeat = async (times: number[], act: () => Promise<string | null>): Promise<void> => {
    while (!stopping.signal.aborted) {
      const started = performance.now();
      const failure = await act();
      times.push(performance.now() - started);
      if (failure !== null) measured.failures.push(failure);
      await sleep(20);
    }
  };
  const users = [repeat(measured.work, work), repeat(measured.signIn, signIn)];
  await others();
  stopping.abort();
  await Promise.all(users);
  return measured;
}

async function checkUsers(
  users: Users,
  { alone, during }: { alone: Measured; during: Measured },
): Promise<string[]> {
  const problems = [...alone.failures, ...during.failures];
  const forgotten = await users.consent();
  if (forgotten !== null) problems.push(forgotten);
  for (const who of ['work', 'signIn'] as const) {
    const [before, now] = [percentile(alone[who], 0.99), percentile(during[who], 0.99)];
    console.log(
      `${who}: ${during[who].length} times, half within ${percentile(during[who], 0.5).toFixed(0)} ms, 99 of 100 within ${now.toFixed(0)} ms (${before.toFixed(0)} ms without strangers)`,
    );
    if (!(now <= before + maxExtraMs)) problems.push(`${who}: 99 of 100 took up to ${now.toFixed(0)} ms`);
  }
  return problems;
}

type Flood = {
  finished: () => Promise<void>;
  statuses: Record<string, Record<string, number>>;
  /** Requests that were answered with success, by kind. */
  accepted: Record<string, number>;
  acceptedFromFlooder: Record<string, number>;
  failures: string[];
};

async function createFlood({ kinds }: Strangers, requests: number): Promise<Flood> {
  const random = randomNumbers(41);
  const names = Object.keys(kinds);
  const flood: Flood = {
    statuses: {},
    accepted: {},
    acceptedFromFlooder: {},
    failures: [],
    finished: async () => {
      let left = requests;
      const sendRequests = async (): Promise<void> => {
        while (left > 0) {
          left -= 1;
          await sendOne(names[left % names.length] ?? '');
        }
      };
      await Promise.all(Array.from({ length: atOnce }, sendRequests));
    },
  };
  const sendOne = async (kind: string): Promise<void> => {
    const address = random() < 0.5 ? flooder : `198.51.100.${Math.floor(random() * addresses)}`;
    const status = await kinds[kind]?.(address).catch((error: unknown) => {
      flood.failures.push(`${kind}: ${String(error)}`);
      return -1;
    });
    const counts = (flood.statuses[kind] ??= {});
    counts[String(status)] = (counts[String(status)] ?? 0) + 1;
    if ((kind === 'page' || kind === 'health') && status !== 200)
      flood.failures.push(`${kind} was answered with ${status}`);
    // 400 is the answer to an assertion that was accepted and stored: the refresh token does not exist.
    const isStored = { registration: 201, authorization: 303, assertion: 400 }[kind] === status;
    if (!isStored) return;
    flood.accepted[kind] = (flood.accepted[kind] ?? 0) + 1;
    if (address === flooder) flood.acceptedFromFlooder[kind] = (flood.acceptedFromFlooder[kind] ?? 0) + 1;
  };
  return flood;
}

/** Compares the stored records with the accepted requests, and checks when replay records expire. */
function checkRecords(state: string, accepted: Record<string, number>): string[] {
  const database = new Database(join(state, 'keepsake.sqlite'), { readonly: true });
  const count = (model: string): number =>
    database.prepare('select count(*) from oauth where model = ?').pluck().get(model) as number;
  const problems: string[] = [];
  // Two clients and one interaction were created before, and an assertion that is replayed is stored once.
  const expected = {
    Client: (accepted['registration'] ?? 0) + 2,
    Interaction: (accepted['authorization'] ?? 0) + 1,
    ReplayDetection: (accepted['assertion'] ?? 0) + 1,
  };
  const rows = Object.keys(expected).map((model) => `${count(model)} ${model}`);
  console.log(`records: ${rows.join(', ')}`);
  for (const [model, max] of Object.entries(expected))
    if (count(model) > max) problems.push(`${count(model)} records of ${model}, at most ${max} expected`);
  const latest = database
    .prepare(`select max(until) from oauth where model = 'ReplayDetection'`)
    .pluck()
    .get() as number | null;
  if ((latest ?? 0) > Date.now() / 1_000 + 600) problems.push(`a replay record is kept until ${latest}`);
  database.close();
  return problems;
}

function diskUsage(state: string): number {
  return globSync(join(state, '*.sqlite*')).reduce((sum, file) => sum + statSync(file).size, 0);
}

async function areAllClosed({ slow }: Strangers): Promise<boolean> {
  for (const started = performance.now(); slow.size > 0; await sleep(100))
    if (performance.now() - started > slowBodyTimeoutMs) return false;
  return true;
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
