// No one gets in: a member of one vault of a service who sends a GET with a body to a node that passes it on to another node does not get the credentials of requests for other vaults.
// Limit: 150 s
import { connect } from 'node:net';
import { startService } from './lib/service.mjs';
import { broken, failed, held, sleep } from './lib/world.mjs';

const service = await startService();
const front = await service.startNode('a', ['--workers', '1']);
const owner = await service.startNode('b', ['--workers', '1']);
const tokens = { alice: service.addVault('alice'), bob: service.addVault('bob') };
const get = async (vault, path, node = front) => {
  const response = await fetch(`${node.url}/v/${vault}/api/vaults/${vault}/${path}`, {
    headers: { authorization: `Bearer ${tokens[vault]}` },
  });
  return response.text();
};
for (const vault of ['alice', 'bob']) {
  await get(vault, 'tree', owner);
  try {
    service.cluster('move', vault, 'b');
  } catch {
    // It is there.
  }
}
for (let i = 0; !/^b .* 2 vaults/m.test(service.cluster('status')); i++) {
  if (i === 60) failed(`the vaults do not move: ${service.cluster('status')}`);
  await get('alice', 'tree');
  await get('bob', 'tree');
  await sleep(500);
}
// Until the connections of the preparation are closed.
await sleep(5_000);

for (let attempt = 0; attempt < 8; attempt++) {
  const name = `loot-${attempt}.md`;
  const prefix = [
    `PUT /v/bob/api/vaults/bob/files/${name} HTTP/1.1`,
    'Host: notes.example',
    `Authorization: Bearer ${tokens.bob}`,
    'If-None-Match: *',
    'Content-Type: text/markdown',
    'Content-Length: 220',
    '',
    '',
  ].join('\r\n');
  const socket = connect(front.port, '127.0.0.1').on('error', () => undefined);
  const head = 'GET /v/bob/api/health HTTP/1.1\r\nHost: notes.example\r\nTransfer-Encoding: chunked\r\n\r\n';
  socket.resume().write(`${head}${prefix.length.toString(16)}\r\n${prefix}\r\n0\r\n\r\n`);
  await sleep(200);
  // Alice works as usual.
  await get('alice', 'tree').catch(() => undefined);
  socket.destroy();
  await sleep(300);
  if ((await get('bob', `files/${name}`)).includes(tokens.alice))
    broken(`the token of alice, who sent one GET, is in the note ${name} of bob's vault`);
}
held();
