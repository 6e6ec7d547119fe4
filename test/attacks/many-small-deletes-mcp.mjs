// Large deletions wait for you: sixty notes deleted one call at a time are stopped just as one call for all of them is.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startMcp } from './lib/mcp.mjs';
import { broken, held, newVault, vault } from './lib/world.mjs';

const count = 60;
const notes = (folder) =>
  Array.from({ length: count }, (_, i) => [`projects/${folder}/n${i}.md`, `Note ${i}\n`]);
await newVault(Object.fromEntries([...notes('one'), ...notes('all')]));
const left = (folder) =>
  readdirSync(join(vault, 'projects', folder), { recursive: true }).filter((name) => name.endsWith('.md'))
    .length;
const mcp = await startMcp();
await mcp.tool('vault_delete', { path: 'projects/all/' });
if (left('all') < count) broken(`one call deleted ${count - left('all')} notes`);
for (const [path] of notes('one')) await mcp.tool('vault_delete', { path });
// More than ten deleted at once are to be held; half is far more than that.
if (left('one') < count / 2)
  broken(`of ${count} notes deleted one by one, ${left('one')} are left and the user was not asked`);
held();
