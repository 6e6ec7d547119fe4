// A recorded session is filed once, also after a power loss between submitting it and removing it from the spool.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startModel } from './lib/model.mjs';
import { spool } from './lib/sessions.mjs';
import { broken, failed, held, keepsake, newVault, skipped, vault } from './lib/world.mjs';

await newVault({ 'projects/p/state.md': '# p\n' });
mkdirSync(spool, { recursive: true, mode: 0o700 });
const model = await startModel(() => ({ status: 429 }));
const clock = (hours) => ({
  ...model.env,
  CLOCK_AHEAD: String(hours),
  NODE_OPTIONS: `--import=${new URL('./lib/clock-ahead.mjs', import.meta.url).href}`,
});
const writeEvent = (folder, session, event, at) => {
  const key = createHash('sha256').update(`${session} ${event}`).digest('hex').slice(0, 32);
  const words = `WORDS-OF-${session} ${'We decided on this because of that, and it lasts. '.repeat(20)}`;
  const recorded = {
    v: 1,
    client: 'claude-code',
    event,
    session,
    key,
    at,
    vault,
    folder: '/code',
    remote: null,
    project: 'p',
    text: event === 'session-end' ? 'other' : words,
    secrets: 0,
    cut: 0,
  };
  writeFileSync(join(folder, `${key}.json`), JSON.stringify(recorded));
};
const writeSession = (folder, session, at) => {
  for (const [index, event] of ['prompt', 'session-end'].entries())
    writeEvent(folder, session, event, at + index);
};
const drain = async (hours) => {
  const done = await keepsake(['capture', 'drain', '--json'], { env: clock(hours) });
  return { ...JSON.parse(done.stdout || '{"updates":[]}'), stderr: done.stderr.trim() };
};
const began = Date.now() - 60_000;
writeSession(spool, 'one', began);
const first = await drain(0);
if (first.updates.length !== 1) failed(`the first session was not submitted: ${JSON.stringify(first)}`);
const file = join(spool, 'filed.json');
if (!existsSync(file)) skipped('the spool has another format');
// As a power loss leaves the disk: the update is stored, the segment is not removed yet, and filed.json is empty.
const [{ key }] = JSON.parse(readFileSync(file, 'utf8'));
const segment = join(spool, `segment-${key.slice('capture:'.length)}`);
mkdirSync(segment);
writeSession(segment, 'one', began);
writeFileSync(file, '');
writeSession(spool, 'two', Date.now() + 3 * 3_600_000 - 60_000);
await drain(3);
await drain(6);
const last = await drain(30);
const { updates } = JSON.parse((await keepsake(['updates', '--json'])).stdout);
const countWith = (words) => updates.filter((update) => JSON.stringify(update).includes(words)).length;
if (countWith('WORDS-OF-one') !== 1)
  broken(`the session before the power loss is in ${countWith('WORDS-OF-one')} updates`);
if (countWith('WORDS-OF-two') !== 1)
  broken(
    `the session after the power loss is in ${countWith('WORDS-OF-two')} updates: ${last.stderr.slice(0, 160)}`,
  );
held();
