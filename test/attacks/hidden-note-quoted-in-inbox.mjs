// Files hidden from AI appear in no tool: a question that Keepsake itself asks about a hidden note does not quote it to models.
// Limit: 120 s
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callOverHttp } from './lib/mcp.mjs';
import { broken, failed, held, newToken, newVault, prepare, serve, sleep, vault } from './lib/world.mjs';

await newVault();
await prepare('config', 'exclude', '--add', 'private/**');
const token = await newToken('read');
const service = await serve();
// Written at the end of the first scan, which asks no questions about notes that are already there.
for (let i = 0; i < 600 && !existsSync(join(vault, 'tree.md')); i++) await sleep(100);
mkdirSync(join(vault, 'private'));
// The person's own git left its markers in a hidden note, as after a pull.
writeFileSync(
  join(vault, 'private/diary.md'),
  '# Diary\n\n<<<<<<< HEAD\nToday I told the doctor about MARMALADE-OURS.\n=======\nToday I told no one about MARMALADE-THEIRS.\n>>>>>>> origin/main\n',
);
const items = () => readdirSync(join(vault, 'inbox'));
for (let i = 0; i < 600 && items().length === 0; i++) await sleep(100);
if (items().length === 0) failed('no question was asked');
await sleep(1_500);
const direct = await callOverHttp(service, token, 'vault_read', { paths: ['vault/private/diary.md'] });
if (direct.includes('MARMALADE')) failed('the note is not hidden at all');
const shown = [];
const item = `vault/inbox/${items()[0]}/review.md`;
for (const { name, args } of [
  { name: 'vault_read', args: { paths: [item] } },
  { name: 'vault_read', args: { path: item } },
  { name: 'vault_tree', args: { path: 'vault/inbox' } },
  { name: 'vault_history', args: {} },
]) {
  const answer = await callOverHttp(service, token, name, args);
  if (/MARMALADE/.test(answer))
    shown.push(`${name}: ${/[^\n]*MARMALADE[^\n]*/.exec(answer)[0].trim().slice(0, 70)}`);
}
const inbox = await service.call(token, 'GET', 'inbox');
if (/MARMALADE/.test(JSON.stringify(inbox.body))) shown.push('GET inbox');
if (shown.length > 0) broken(`a hidden note is quoted to models: ${shown.join('; ')}`);
held();
