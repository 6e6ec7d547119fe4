// Callers that are not signed in keep no one from working: files of the web interface that they request and do not read do not fill the memory.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { broken, held, newVault, serve, sleep } from './lib/world.mjs';

await newVault();
const service = await serve();
const port = Number(new URL(service.url).port);
const assets = join(dirname(process.env.KEEPSAKE), '../web/assets');
const [file] = readdirSync(assets).toSorted(
  (a, b) => statSync(join(assets, b)).size - statSync(join(assets, a)).size,
);
const rss = () => {
  try {
    return Math.round(
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))[1]) / 1024,
    );
  } catch {
    return 0;
  }
};
const before = rss();
let peak = before;
const one = `GET /assets/${file} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
const sockets = [];
for (let i = 0; i < 10 && peak < 1_500 && !service.hasEnded; i++) {
  const socket = connect(port, '127.0.0.1', () => socket.write(one.repeat(100)));
  socket.pause();
  socket.on('error', () => undefined);
  sockets.push(socket);
  for (let n = 0; n < 6; n++) {
    await sleep(100);
    peak = Math.max(peak, rss());
  }
}
for (const socket of sockets) socket.destroy();
if (service.hasEnded) broken(`the service ended after ${sockets.length} connections`);
if (peak - before > 500)
  broken(
    `${sockets.length} connections with 100 requests each, ${Math.round((one.length * 100 * sockets.length) / 1000)} kB sent, raise the memory from ${before} to ${peak} MB`,
  );
held();
