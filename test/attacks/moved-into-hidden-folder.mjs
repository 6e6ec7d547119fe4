// Files hidden from AI appear in no tool: a note that the person moved into a hidden folder is not shown by its history.
// Limit: 120 s
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  broken,
  failed,
  held,
  newToken,
  newVault,
  prepare,
  keepsake,
  serve,
  sleep,
  vault,
} from './lib/world.mjs';
import { callOverHttp } from './lib/mcp.mjs';

await newVault();
await prepare('config', 'exclude', '--add', 'private/**');
const written = await keepsake(['write', 'bucket/therapy.md'], {
  input: '# Notes\n\nThe doctor said MARMALADE.\n',
});
if (written.code !== 0) failed(written.stderr);
// The way to hide one note: move it into the hidden folder.
const moved = await keepsake(['move', 'bucket/therapy.md', 'private/therapy.md']);
if (moved.code !== 0 || !existsSync(join(vault, 'private/therapy.md'))) failed(moved.stderr);
const token = await newToken('read');
const service = await serve();
await sleep(1_000);
const direct = await callOverHttp(service, token, 'vault_read', { paths: ['vault/private/therapy.md'] });
if (direct.includes('MARMALADE')) failed('not hidden at all');
const shown = [];
const { body } = await service.call(token, 'GET', 'history?limit=50');
for (const { id, summary } of body.changes) {
  const detail = await service.call(token, 'GET', `history/${id}`);
  if (JSON.stringify(detail.body).includes('MARMALADE'))
    shown.push(`GET history/${id.slice(0, 8)} (${summary})`);
}
const search = await callOverHttp(service, token, 'vault_search', { query: 'MARMALADE' });
if (/doctor/.test(search)) shown.push('search');
const listed = await callOverHttp(service, token, 'vault_history', {});
if (/therapy/.test(listed)) shown.push(`vault_history (its name)`);
if (shown.length > 0) broken(`the text of a note that is hidden now is shown by ${shown.join('; ')}`);
held();
