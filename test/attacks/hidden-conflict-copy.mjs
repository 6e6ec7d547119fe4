// Files hidden from AI appear in no tool: the second version that a sync service puts beside a hidden note is hidden, too.
// Limit: 90 s
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callOverHttp } from './lib/mcp.mjs';
import { broken, failed, held, newToken, newVault, prepare, serve, sleep, vault } from './lib/world.mjs';

const lines = Array.from({ length: 8 }, (_, i) => `An ordinary line ${i}.`).join('\n');
await newVault({ 'diary.md': `# Diary\n\n${lines}\n\nMARMALADE at noon.\n` });
await prepare('config', 'exclude', '--add', 'diary.md');
const token = await newToken('read');
const service = await serve();
await sleep(1_500);
const copy = 'diary.sync-conflict-20260714-183000-ABCDEFG.md';
writeFileSync(join(vault, copy), `# Diary\n\n${lines}\n\nMARMALADE at midnight.\n`);
const shown = new Set();
for (let i = 0; i < 60; i++) {
  for (const { name, args } of [
    { name: 'vault_read', args: { paths: [`vault/${copy}`] } },
    { name: 'vault_read', args: { paths: ['vault/inbox'], recursive: true } },
    { name: 'vault_search', args: { query: 'MARMALADE midnight' } },
    { name: 'vault_tree', args: {} },
  ]) {
    const answer = await callOverHttp(service, token, name, args);
    if (/at (midnight|noon)/.test(answer) || (name === 'vault_tree' && /sync-conflict/.test(answer)))
      shown.add(name);
  }
  const inbox = await service.call(token, 'GET', 'inbox');
  if (/diary/i.test(JSON.stringify(inbox.body))) shown.add('GET inbox');
  await sleep(250);
}
const direct = await callOverHttp(service, token, 'vault_read', { paths: ['vault/diary.md'] });
if (direct.includes('MARMALADE')) failed('the note is not hidden at all');
if (shown.size > 0) broken(`the text of a hidden note is shown by ${[...shown].join('; ')}`);
held();
