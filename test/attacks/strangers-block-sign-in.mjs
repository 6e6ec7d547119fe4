// Slow connections do not affect others: 300 callers without credentials that never finish a request body keep no one from signing in.
import { connect } from 'node:net';
import { broken, failed, held, newVault, serve, sleep } from './lib/world.mjs';

await newVault();
const service = await serve({}, ['--public', 'https://notes.example.org']);
const { host, port } = new URL(service.url);
const timed = async (path, init = {}) => {
  const began = performance.now();
  const status = await fetch(`${service.url}${path}`, {
    signal: AbortSignal.timeout(10_000),
    redirect: 'manual',
    ...init,
  }).then(
    (response) => response.status,
    (error) => error.name,
  );
  return { status, seconds: (performance.now() - began) / 1_000 };
};
const requests = {
  health: ['/api/health'],
  'the start page': ['/'],
  'a one-time link': ['/open?code=none'],
  'the start of a passkey sign-in': ['/api/sign-in/passkey/options', { method: 'POST' }],
  'a refresh token': [
    '/oauth/token',
    {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=refresh_token&refresh_token=x&client_id=y',
    },
  ],
  'the OAuth metadata': ['/.well-known/oauth-authorization-server'],
};
const before = await timed('/api/health');
if (before.status !== 200) failed(`health is ${before.status}`);
// All come from one address, as behind a proxy that does not pass addresses on.
const strangers = Array.from({ length: 300 }, () => {
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `POST /api/sign-in/passkey HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
  );
  return socket;
});
await sleep(1_000);
const blocked = [];
const answers = await Promise.all(
  Object.entries(requests).map(async ([name, [path, init]]) => ({ name, ...(await timed(path, init)) })),
);
for (const { name, status, seconds } of answers)
  if (status === 'TimeoutError' || status === 429 || seconds > 5)
    blocked.push(`${name} (${status} after ${seconds.toFixed(1)} s)`);
for (const socket of strangers) socket.destroy();
if (blocked.length > 0) broken(`300 connections that sent one byte of a body block ${blocked.join(', ')}`);
held();
