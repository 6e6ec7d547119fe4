// Removals are limited: a token removes no long note by moving it, undoing half of the move, and moving it back.
// Limit: 120 s
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { callOverHttp } from './lib/mcp.mjs';
import { broken, failed, held, keepsake, newToken, newVault, serve, vault } from './lib/world.mjs';

const text = `# Life\n\n${Array.from({ length: 3_000 }, (_, i) => `Line ${i} of the memories of the person, ${i * 7}.`).join('\n')}\n`;
await newVault({ 'bucket/big.md': text });
const token = await newToken('write');
const service = await serve();
const tool = (name, args) => callOverHttp(service, token, name, args);
const newest = async () => (await service.call(token, 'GET', 'history?limit=1')).body.changes[0].id;
const exists = (name) => existsSync(join(vault, 'bucket', name));
const straight = await tool('vault_delete', { path: 'vault/bucket/big.md' });
if (!exists('big.md')) failed('a long note is deleted without a hold anyway');
const steps = [`delete: ${straight.slice(0, 60)}`];
steps.push(await tool('vault_move', { from: 'vault/bucket/big.md', to: 'vault/bucket/x.md' }));
if (!exists('x.md')) failed(steps.at(-1));
const undone = await service.call(token, 'POST', `history/${await newest()}/undo`, {
  path: 'vault/bucket/big.md',
});
if (!exists('big.md')) {
  steps.push(JSON.stringify(undone));
  console.log(steps);
  held();
}
steps.push(await tool('vault_delete', { path: 'vault/bucket/big.md' }));
steps.push(await tool('vault_move', { from: 'vault/bucket/x.md', to: 'vault/bucket/big.md' }));
steps.push(await tool('vault_delete', { path: 'vault/bucket/big.md' }));
const { waiting = [] } = JSON.parse((await keepsake(['inbox', '--json'])).stdout || '{}');
if (!exists('big.md') && !exists('x.md'))
  broken(
    `a token removed a note of ${text.length} characters in five calls; ${waiting.length - 1} of them wait for approval`,
  );
held();
