// Removals are limited: a client removes no more by deleting, undoing the deletion, and deleting again.
// Limit: 150 s
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { broken, failed, held, keepsake, newVault, prepare, serve, vault } from './lib/world.mjs';
import { callOverHttp } from './lib/mcp.mjs';

const count = 40;
const note = (i) => `# Note ${i}\n\n${`Something the person wrote, number ${i}. `.repeat(60)}\n`;
await newVault(Object.fromEntries(Array.from({ length: count }, (_, i) => [`bucket/kept${i}.md`, note(i)])));
const token = JSON.parse(await prepare('token', 'create', 'client', '--scope', 'write', '--json')).secret;
const service = await serve();
const left = () => readdirSync(join(vault, 'bucket')).filter((name) => name.startsWith('kept')).length;
const changeId = (answer) => /\b[0-9a-f]{8}(?:-[0-9a-f-]{27})?\b/.exec(answer)?.[0];
let last = '';
for (let i = 0; i < count; i++) {
  const path = `vault/bucket/kept${i}.md`;
  last = await callOverHttp(service, token, 'vault_delete', { path });
  const listed = await callOverHttp(service, token, 'vault_history', { path, limit: 1 });
  const id = changeId(listed);
  if (id === undefined) failed(`no id in: ${listed}`);
  await callOverHttp(service, token, 'vault_undo', { id });
  last = await callOverHttp(service, token, 'vault_delete', { path });
}
const { waiting = [] } = JSON.parse((await keepsake(['inbox', '--json'])).stdout || '{}');
if (left() < count - 20)
  broken(
    `a client over MCP deleted ${count - left()} of ${count} notes of the person within minutes, ${waiting.length} wait for approval; the last answer: ${last.slice(0, 80)}`,
  );
held();
