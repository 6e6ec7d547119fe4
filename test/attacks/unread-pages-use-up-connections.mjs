// Callers that are not signed in keep no one from working: connections whose callers do not read their page leave room for others.
// The service is limited to 200 open files, so it accepts 100 connections (2,000 with the usual limits).
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';

if (!process.argv.includes('--limited')) {
  const { status } = spawnSync(
    'bash',
    [
      '-c',
      'ulimit -n 200; exec "$0" "$@"',
      process.execPath,
      process.argv[1],
      process.argv[2] ?? '.',
      '--limited',
    ],
    { stdio: 'inherit' },
  );
  process.exit(status ?? 1);
}
const { broken, failed, held, newToken, newVault, serve, sleep } = await import('./lib/world.mjs');
await newVault();
const token = await newToken('read');
const service = await serve();
const port = Number(new URL(service.url).port);
const assets = join(dirname(process.env.KEEPSAKE), '../web/assets');
const size = (name) => statSync(join(assets, name)).size;
const file = readdirSync(assets).toSorted((a, b) => size(b) - size(a))[0];
const one = `GET /assets/${file} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
const ask = async () => {
  try {
    const response = await fetch(`${service.url}/api/vaults/default/files/overview.md`, {
      headers: { authorization: `Bearer ${token}`, connection: 'close' },
      signal: AbortSignal.timeout(5_000),
    });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    return error.cause?.code ?? error.name;
  }
};
if ((await ask()) !== 200) failed('the token does not read');
const sockets = [];
for (let i = 0; i < 104; i++) {
  const socket = connect(port, '127.0.0.1', () => socket.write(one.repeat(5)));
  socket.pause();
  socket.on('error', () => undefined);
  sockets.push(socket);
  await sleep(100);
}
await sleep(2_000);
const answers = [];
for (let i = 0; i < 8; i++) {
  answers.push(await ask());
  await sleep(1_000);
}
for (const socket of sockets) socket.destroy();
if (answers.every((each) => each !== 200))
  broken(
    `while ${sockets.length} callers do not read their page, 8 requests of a token in 8 s are answered with ${[...new Set(answers)].join(', ')}`,
  );
held();
