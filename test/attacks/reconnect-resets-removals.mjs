// Removing more than ten files in several changes within an hour is held, also if the client reconnects in between.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { broken, failed, held, newVault, vault } from './lib/world.mjs';
import { startMcp } from './lib/mcp.mjs';

const count = 60;
await newVault(
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `bucket/n${i}.md`,
      `# Note ${i}\n\n${`Something worth keeping, ${i}. `.repeat(10)}\n`,
    ]),
  ),
);
const left = () => readdirSync(join(vault, 'bucket')).filter((name) => /^n\d/.test(name)).length;
let connections = 0;
let client;
for (let i = 0; i < count; i++) {
  if (i % 15 === 0) {
    client?.close();
    client = await startMcp();
    connections += 1;
  }
  await client.tool('vault_delete', { path: `vault/bucket/n${i}.md` });
}
client.close();
if (left() === count) failed('nothing was deleted');
if (left() < count - 20)
  broken(
    `a client over stdio that reconnects ${connections - 1} times deletes ${count - left()} of ${count} notes; nothing is held`,
  );
held();
