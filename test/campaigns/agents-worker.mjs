// Accepts updates and files them, until all are over or it is killed. Prints what it acknowledged and what came of it.
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openKeepsake, readEnvironment } from '../../packages/vault/dist/app/index.js';

const { vault, state, inputs, ...job } = JSON.parse(process.argv[2]);
/** The longest wait of the queue. It is leapt over, not shortened: while an update is worked on, time is real. */
const longestBackoff = 20_000;
let { ahead } = job;
// Synchronous: what was acknowledged is out, even if it is killed right after.
const tell = (what, said) => writeSync(1, `${JSON.stringify({ what, ...said })}\n`);

const keepsake = await openKeepsake({
  vault,
  state,
  environment: readEnvironment(),
  clock: () => Date.now() + ahead,
});
keepsake.events.listen((event) => {
  if (event.type === 'update-failed') tell('failed', { reason: event.reason.text });
});
const { updates } = keepsake.agents;
const runner = updates.start((error) => tell('broke', { error: String(error?.stack ?? error) }));
for (const { number, key, input } of inputs) {
  tell('accepted', { number, id: (await updates.accept(input, key)).id });
  runner.wake();
  await new Promise((done) => setImmediate(done));
}
for (;;) {
  const open = updates.list({ limit: 100 }).filter((update) => /waiting|running/.test(update.state));
  const oldest = open.at(-1);
  if (oldest === undefined) break;
  if (oldest.state === 'waiting' && oldest.attempts > 0) {
    ahead += longestBackoff;
    runner.wake();
  }
  await sleep(10);
}
await runner.stop();
const found = {
  // Without what came in, which may be more than a pipe takes at once.
  updates: updates.list({ limit: 100 }).map((update) => ({ ...update, input: undefined })),
  journal: keepsake.changes.list({ limit: 100 }).map(({ id, state: is }) => ({ id, state: is })),
};
const { notRecorded } = await keepsake.close();
tell('over', { ...found, notRecorded });
