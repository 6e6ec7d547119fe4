// The service answers: 4,100 connections that say nothing do not lock everybody else out.
import { get } from 'node:http';
import { connect } from 'node:net';
import { broken, failed, held, newVault, serve, skipped, sleep } from './lib/world.mjs';

await newVault();
const service = await serve();
const port = Number(new URL(service.url).port);
/** Over a connection of its own. */
const isAnswered = () =>
  new Promise((resolve) => {
    const request = get(`${service.url}/api/health`, { agent: false, timeout: 3_000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('error', () => resolve(false)).on('timeout', () => request.destroy());
  });
if (!(await isAnswered())) failed('the service does not answer');
const sockets = [];
/** Codes of connections that this machine could not make. */
const exhausted = [];
for (let i = 0; i < 4_100; i++) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', ({ code }) =>
    ['EMFILE', 'ENFILE', 'EADDRNOTAVAIL'].includes(code) ? exhausted.push(code) : undefined,
  );
  sockets.push(socket);
  if (i % 100 === 0) await sleep(20);
}
await sleep(2_000);
if (exhausted.length > 0) skipped(`this machine cannot make 4,100 connections (${exhausted[0]})`);
for (const end = Date.now() + 10_000; Date.now() < end; await sleep(500)) if (await isAnswered()) held();
broken('with 4,100 idle connections no other client is answered for 10 s');
