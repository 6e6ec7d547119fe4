// A client undoes only what it changed itself; the undo of any other change is held for the user, over HTTP and MCP.
import { broken, failed, held, keepsake, newVault, prepare, serve, text } from './lib/world.mjs';
import { callOverHttp } from './lib/mcp.mjs';

await newVault();
const secret = async (name) =>
  JSON.parse(await prepare('token', 'create', name, '--scope', 'write', '--json')).secret;
const [mine, other] = [await secret('mine'), await secret('other')];
const service = await serve();
const wrote = await callOverHttp(service, mine, 'vault_write', {
  path: 'vault/bucket/mine.md',
  content: 'Words of the first program.\n',
});
if (!text('bucket/mine.md').includes('first program')) failed(wrote);
const id = JSON.parse((await keepsake(['history', '--json'])).stdout).changes.find(({ paths }) =>
  paths.some((path) => path.endsWith('mine.md')),
).id;
// The same over HTTP is refused.
const overHttp = await service.call(other, 'POST', `history/${id}/undo`, {});
if (!text('bucket/mine.md').includes('first program'))
  broken(`over HTTP another token undid it (${overHttp.status})`);
const undone = await callOverHttp(service, other, 'vault_undo', { id });
if (!text('bucket/mine.md').includes('first program')) broken(`over MCP the other token undid it: ${undone}`);
held();
