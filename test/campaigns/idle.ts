import { rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createToken, makePlace, serve, usedBy } from './program.ts';

const [requests, unread, large] = [40, 64, 15_000_000];
/**
 * The additional memory that the server may use, in bytes. It holds 120 MB of bodies, and responses of 100 MB that are not
 * read and of 16 requests, which are copied once; all responses together would be 960 MB.
 */
const maxExtraMemoryBytes = 900_000_000;
/** The factor by which responses to other clients may slow down on a busy machine. */
const maxSlowdown = 60;
/** Timeout of a request in milliseconds; long, because the machine may be busy. */
const requestTimeoutMs = 120_000;

type Tokens = { greedy: string; other: string };

/**
 * Opens, all at once: idle connections, a listener that reads no events, requests that send the end of a 29 MB body
 * byte by byte, and 64 requests whose response of 15 MB is not read. Other clients must still get responses, and no
 * resources may be leaked.
 */
export async function idleCampaign(connections: number): Promise<number> {
  const { root, vault, place } = makePlace('idle');
  writeFileSync(join(vault, 'large.md'), `# Large\n${`${'x'.repeat(99)}\n`.repeat(large / 100)}`);
  const tokens = {
    greedy: createToken(place, { name: 'greedy', scope: 'read' }),
    other: createToken(place, { name: 'other' }),
  };
  const { child: serving, url } = await serve(place);
  const problems: string[] = [];
  try {
    const port = Number(new URL(url).port);
    const before = { ...(await measure(port, tokens)), ...usedBy(serving.pid ?? 0) };
    const sockets = await crowd(port, tokens.greedy, connections);
    await sleep(1_000);
    const during = { ...(await measure(port, tokens)), ...usedBy(serving.pid ?? 0) };
    for (const socket of sockets) socket.destroy();
    await sleep(3_000);
    const after = { ...(await measure(port, tokens)), ...usedBy(serving.pid ?? 0) };

    const ratio = during.milliseconds / before.milliseconds;
    const more = during.memory - before.memory;
    console.log(
      `idle: ${connections} connections, ${requests} requests of others each time: ${before.milliseconds.toFixed(0)} ms before, ${during.milliseconds.toFixed(0)} during (${ratio.toFixed(1)} times), ${after.milliseconds.toFixed(0)} after; ${(more / 1e6).toFixed(0)} MB more, ${after.handles - before.handles} handles more afterwards`,
    );
    for (const [when, { failed }] of Object.entries({ before, during, after }))
      if (failed.length > 0)
        problems.push(
          `${failed.length} requests were not answered ${when}: ${[...new Set(failed)].join(', ')}`,
        );
    if (ratio > maxSlowdown)
      problems.push(`responses to other clients were ${ratio.toFixed(0)} times slower`);
    if (more > maxExtraMemoryBytes) problems.push(`the server used ${more} more bytes`);
    if (after.handles > before.handles + 20)
      problems.push(`${after.handles - before.handles} handles were leaked`);
    if (serving.exitCode !== null) problems.push('the server has exited');
    if (sockets.length < connections) problems.push('there were fewer connections than requested');
  } finally {
    serving.kill('SIGKILL');
    rmSync(root, { recursive: true, force: true });
  }
  for (const problem of problems) console.log(`FAILED: ${problem}`);
  return problems.length;
}

/** The median response time of other clients, each on its own connection, and the failed requests. */
async function measure(port: number, { other }: Tokens): Promise<{ milliseconds: number; failed: string[] }> {
  const times: number[] = [];
  const failed: string[] = [];
  const paths = ['/api/health', '/api/vaults/default/tree', '/api/vaults/default/files/overview.md'];
  for (let request = 0; request < requests; request += 1) {
    const started = performance.now();
    const problem = await ask(port, paths[request % paths.length] ?? '', other);
    if (problem === null) times.push(performance.now() - started);
    else failed.push(problem);
  }
  times.sort((a, b) => a - b);
  return { milliseconds: times[Math.floor(times.length / 2)] ?? Infinity, failed };
}

/** Why the request failed; null when it succeeded. */
function ask(port: number, path: string, token: string): Promise<string | null> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` };
    const asked = get(
      { port, host: '127.0.0.1', path, headers, agent: false, timeout: requestTimeoutMs },
      (response) => {
        response.resume();
        response.once('end', () =>
          resolve(response.statusCode === 200 ? null : `${path}: status ${response.statusCode}`),
        );
      },
    );
    asked.on('error', (error) => resolve(`${path}: ${error.message}`)).on('timeout', () => asked.destroy());
  });
}

/** Opens all connections that try to exhaust the server. */
async function crowd(port: number, token: string, connections: number): Promise<Socket[]> {
  const head = (method: string, path: string, more = ''): string =>
    `${method} /api/vaults/default${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\n${more}\r\n`;
  const open = (said: string): Socket => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    // Never reads the response.
    socket.pause();
    if (said !== '') socket.write(said);
    return socket;
  };
  const body = 'content-type: application/json\r\ncontent-length: 29000000\r\n';
  const giants = Array.from({ length: 6 }, () =>
    open(`${head('POST', '', body).replace('/api/vaults/default', '/mcp')}${' '.repeat(20_000_000)}`),
  );
  const drip = setInterval(() => {
    for (const giant of giants) giant.write(' ');
  }, 50);
  giants[0]?.once('close', () => clearInterval(drip));
  const busy = [
    open(head('GET', '/events')),
    ...giants,
    ...Array.from({ length: unread }, () => open(head('GET', '/files/large.md'))),
  ];
  const silent: Socket[] = [];
  for (let number = 0; number < connections; number += 1) {
    silent.push(open(number % 10 === 0 ? 'GET / HTTP/1.1\r\nx-slow: ' : ''));
    if (number % 100 === 0) await sleep(10);
  }
  return [...busy, ...silent];
}
