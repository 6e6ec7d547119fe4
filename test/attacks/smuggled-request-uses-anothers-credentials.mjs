// No one gets in: a caller without credentials who sends a GET with a body to a node of a service does not make the next user's request do something else in their vault.
// Limit: 120 s
import { connect } from 'node:net';
import { startService } from './lib/service.mjs';
import { broken, failed, held, sleep } from './lib/world.mjs';

const service = await startService();
const node = await service.startNode('a', ['--workers', '1']);
const token = service.addVault('alice');
const alice = async (path, more = {}) => {
  const response = await fetch(`${node.url}/v/alice/api/vaults/alice/${path}`, {
    ...more,
    headers: { authorization: `Bearer ${token}`, ...more.headers },
  });
  return { status: response.status, text: await response.text() };
};
const created = await alice('files/diary.md', {
  method: 'PUT',
  headers: { 'content-type': 'text/markdown', 'if-none-match': '*' },
  body: '# Diary\n\nNo one else reads or deletes this.\n',
});
if (created.status >= 300) failed(`writing a note: ${created.status} ${created.text}`);
// Until the connections of the preparation are closed.
await sleep(5_000);

/** What a stranger sends: one request whose body is the beginning of another one. */
async function smuggle(prefix) {
  const socket = connect(node.port, '127.0.0.1').on('error', () => undefined);
  const head =
    'GET /v/alice/api/health HTTP/1.1\r\nHost: notes.example\r\nTransfer-Encoding: chunked\r\n\r\n';
  socket.resume().write(`${head}${prefix.length.toString(16)}\r\n${prefix}\r\n0\r\n\r\n`);
  await sleep(300);
  socket.destroy();
}

for (let attempt = 0; attempt < 6; attempt++) {
  await smuggle('DELETE /api/vaults/alice/files/diary.md HTTP/1.1\r\nIf-Match: *\r\nX-Ignored: ');
  // Alice works as usual.
  const { status } = await alice('tree').catch((error) => ({ status: error.message }));
  const diary = await alice('files/diary.md');
  if (diary.status === 404)
    broken(`a stranger deleted a note of alice with a GET (her own GET was answered with ${status})`);
  await sleep(300);
}
held();
