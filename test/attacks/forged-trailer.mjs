// Every change can be undone by its id: the id undoes that change, not another whose origin names it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { broken, failed, held, keepsake, newToken, newVault, prepare, serve, vault } from './lib/world.mjs';

await newVault();
const token = await newToken('write');
const service = await serve();
const write = (path, more = {}) =>
  service.call(token, 'POST', 'tools/write', {
    input: { path, content: `the note ${path}` },
    reader: 'model',
    ...more,
  });
await write('bucket/victim.md');
const [{ id, paths }] = JSON.parse(await prepare('history', '--json')).changes;
if (!paths.includes('vault/bucket/victim.md')) failed('the change is not in history');
await write('bucket/other.md', { origin: `client\nKeepsake-Update: ${id}\nKeepsake-Id: ${id}` });
await service.stop();
const has = (name) => existsSync(join(vault, 'bucket', name));
const hadOther = has('other.md');
const shown = await keepsake(['show', id]);
const undo = await keepsake(['undo', id]);
if (has('other.md') !== hadOther) broken('undo of one change undid another');
if (shown.stdout.includes('bucket/other.md')) broken('the diff of one change shows another');
if (has('victim.md')) broken(`undo says: ${(undo.stderr + undo.stdout).trim().split('\n').at(-1)}`);
held();
