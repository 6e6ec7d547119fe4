// Callers that are not signed in keep no one from working: an upgrade request whose caller resets the connection does not end `serve --vaults`.
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { broken, failed, held, serve, sleep, start, world } from './lib/world.mjs';

const folder = join(world, 'vaults');
mkdirSync(folder);
const init = start(['init', join(folder, 'a')], { stdio: 'ignore' });
if ((await new Promise((resolve) => init.on('exit', resolve))) !== 0) failed('no vault was created');
const service = await serve({}, ['--vaults', folder]);
const port = Number(new URL(service.url).port);
const reset = (path) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n`);
      setTimeout(() => {
        socket.resetAndDestroy();
        resolve();
      }, Math.random() * 5);
    });
    socket.on('error', resolve);
  });
for (let i = 0; i < 200 && !service.hasEnded; i++) await reset(i % 2 === 0 ? '/' : '/v/nothing/mcp/client');
await sleep(500);
if (service.hasEnded)
  broken(
    `the service for all vaults has ended: ${service.log
      .split('\n')
      .filter((l) => /Error|ECONN|EPIPE/.test(l))
      .slice(0, 2)
      .join(' ')}`,
  );
const health = await fetch(`${service.url}/api/health`).catch((error) => ({ status: String(error) }));
if (health.status !== 200) broken(`health is answered with ${health.status}`);
held();
