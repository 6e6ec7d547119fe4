// A token undoes its own changes of the last hour only, within the removal limits; older ones are held, by whichever address it asks.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { broken, failed, held, keepsake, newToken, newVault, serve, vault } from './lib/world.mjs';
import { callOverHttp } from './lib/mcp.mjs';

await newVault();
const token = await newToken('write');
const earlier = {
  CLOCK_AHEAD: '-3',
  NODE_OPTIONS: `--import=${new URL('./lib/clock-ahead.mjs', import.meta.url).href}`,
};
let service = await serve(earlier);
const count = 40;
for (let i = 0; i < count; i++)
  await callOverHttp(service, token, 'vault_write', {
    path: `vault/bucket/kept${i}.md`,
    content: `# Note ${i}\n\n${`Something that was worth keeping, number ${i}. `.repeat(20)}\n`,
  });
const left = () => readdirSync(join(vault, 'bucket')).filter((name) => name.startsWith('kept')).length;
if (left() !== count) failed(`${left()} of ${count} notes were made`);
await service.stop();
service = await serve();
const { changes } = JSON.parse((await keepsake(['history', '--json', '--limit', '200'])).stdout);
const made = changes.filter(({ paths }) => paths.some((path) => path.includes('kept')));
const documented = await service.call(token, 'POST', `history/${made[0].id}/undo`, {});
if (documented.status !== 200 || documented.body.held === null)
  failed(`history/…/undo does not hold it: ${JSON.stringify(documented.body).slice(0, 200)}`);
const answers = new Map();
for (const { id } of made) {
  const { status } = await service.call(token, 'POST', `updates/${id}/undo`, {});
  answers.set(status, (answers.get(status) ?? 0) + 1);
}
if (left() < count - 20)
  broken(
    `history/…/undo is held (${documented.body.held.reason.text}), but updates/…/undo removes ${count - left()} of ${count} notes of three hours ago at once (${[...answers].map(([s, n]) => `${n} × ${s}`).join(', ')})`,
  );
held();
