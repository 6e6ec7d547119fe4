// Keys are disclosed to no one: neither an invited owner nor a browser of the operator sends the API key of the machine to an address of their own, by choosing it for the model.
// Limit: 100 s
import { createServer } from 'node:http';
import { api, broken, failed, held, invite, newVault, ownerBrowser, serve } from './lib/world.mjs';

const seen = [];
const server = createServer((request, response) => {
  seen.push(request.headers.authorization ?? request.headers['x-api-key'] ?? '');
  request.resume();
  response.writeHead(400).end('{}');
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const url = `http://127.0.0.1:${server.address().port}/v1`;

await newVault({ 'bucket/n.md': '# N\n' });
const service = await serve({ OPENAI_API_KEY: 'sk-CANARY-of-the-machine-000000000000' });
const owner = await ownerBrowser(service);
const stored = { name: 'mistral/large', key: 'CANARY-that-was-stored-0000000000000' };
const saved = await owner('PUT', `${api}/model`, stored);
if (saved.status !== 200) failed(`a key is not stored: ${saved.status} ${JSON.stringify(saved.body)}`);
const other = await invite(service, owner, 'Mallory', 'owner');
for (const [who, call] of [
  ['an invited owner', other.call],
  ['a browser of the operator', owner],
])
  for (const name of ['openai/gpt-5', 'mistral/large']) {
    const { status } = await call('PUT', `${api}/model`, { name, url });
    await call('POST', `${api}/model/test`, {});
    if (seen.some((key) => key.includes('CANARY')))
      broken(`${who} sent the key for ${name} to an address of their choice (${status})`);
  }
held();
