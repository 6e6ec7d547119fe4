// Removals are limited: a client removes no more by undoing old changes of other clients than by deleting notes.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { broken, failed, held, keepsake, newVault, prepare, serve, vault } from './lib/world.mjs';
import { callOverHttp } from './lib/mcp.mjs';

await newVault();
const secret = async (name) =>
  JSON.parse(await prepare('token', 'create', name, '--scope', 'write', '--json')).secret;
const [writer, obeying] = [await secret('claude'), await secret('other')];
// The notes are three hours old, so that neither an hourly limit nor the right to undo one's own recent changes applies.
const earlier = {
  CLOCK_AHEAD: '-3',
  NODE_OPTIONS: `--import=${new URL('./lib/clock-ahead.mjs', import.meta.url).href}`,
};
let service = await serve(earlier);
const count = 60;
for (let i = 0; i < count; i++)
  await callOverHttp(service, writer, 'vault_write', {
    path: `vault/bucket/kept${i}.md`,
    content: `# Note ${i}\n\n${`Something that was worth keeping, number ${i}. `.repeat(20)}\n`,
  });
const left = () => readdirSync(join(vault, 'bucket')).filter((name) => name.startsWith('kept')).length;
if (left() !== count) failed(`${left()} of ${count} notes were made`);
await service.stop();
service = await serve();
const { changes } = JSON.parse((await keepsake(['history', '--json', '--limit', '200'])).stdout);
const made = changes.filter(({ paths }) => paths.some((path) => path.includes('kept')));
if (made.length < count) failed(`history lists ${made.length}`);
let lastAnswer = '';
for (const { id } of made) lastAnswer = await callOverHttp(service, obeying, 'vault_undo', { id });
const { waiting = [] } = JSON.parse((await keepsake(['inbox', '--json'])).stdout || '{}');
if (left() < count - 20)
  broken(
    `another client over MCP removed ${count - left()} of ${count} notes with vault_undo; ${waiting.length} wait for approval; the last answer: ${lastAnswer.slice(0, 80)}`,
  );
held();
