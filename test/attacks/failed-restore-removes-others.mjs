// No words are lost: a restore that fails removes only what it copied, not what another program saved into the folder meanwhile.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { broken, failed, held, keepsake, newVault, prepare, sleep, start, world } from './lib/world.mjs';

await newVault(
  Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`bucket/n${i}.md`, `note ${i}\n`.repeat(50)])),
);
const wrote = await keepsake(['write', 'bucket/first.md'], { input: 'x\n' });
if (wrote.code !== 0) failed(wrote.stderr);
const backup = join(world, 'backup');
await prepare('backup', backup);
// As a disk leaves it that has begun to fail.
const database =
  readdirSync(join(backup, 'state')).find((name) => name.endsWith('sqlite')) ??
  failed(readdirSync(join(backup, 'state')).join());
writeFileSync(join(backup, 'state', database), Buffer.alloc(20_000, 7));
const target = join(world, 'restored');
mkdirSync(target);
const child = start(['restore-backup', backup, '--to', target], { stdio: ['ignore', 'ignore', 'pipe'] });
let said = '';
child.stderr.on('data', (part) => (said += part));
const ended = new Promise((resolve) => child.on('exit', resolve));
// As soon as files arrive, the person, or what syncs the folder, saves one there. Where they arrive elsewhere first: soon.
for (let i = 0; i < 800 && child.exitCode === null && !existsSync(join(target, 'bucket')); i++)
  await sleep(5);
mkdirSync(target, { recursive: true });
writeFileSync(join(target, 'mine.md'), 'Words that are nowhere else.\n');
const code = await ended;
if (code === 0) failed('a damaged backup was restored');
if (!existsSync(join(target, 'mine.md')))
  broken(
    `a note that was saved into the folder while it was restored is gone: ${said.trim().split('\n').at(-1).slice(0, 160)}`,
  );
held();
