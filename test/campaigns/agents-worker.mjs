// Accepts updates and files them, until all are finished or it is killed. Prints acknowledgements and outcomes.
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openKeepsake, readEnvironment } from '../../packages/vault/dist/app/index.js';

const { vault, state, inputs, ...job } = JSON.parse(process.argv[2]);
let { ahead } = job;
// Synchronous, so that an acknowledgement is printed even if the process is killed right after.
const report = (what, details) => writeSync(1, `${JSON.stringify({ what, ...details })}\n`);

const keepsake = await openKeepsake({
  vault,
  state,
  environment: readEnvironment(),
  clock: () => Date.now() + ahead,
});
keepsake.events.subscribe((event) => {
  if (event.type === 'update-failed') report('failed', { reason: event.reason.text });
});
const { updates } = keepsake.agents;
const runner = updates.start((error) => report('broke', { error: String(error?.stack ?? error) }));
for (const { number, key, input } of inputs) {
  report('accepted', { number, id: (await updates.accept(input, key)).id });
  runner.wake();
  await new Promise((done) => setImmediate(done));
}
for (;;) {
  const open = updates.list({ limit: 100 }).filter((update) => /waiting|running/.test(update.state));
  if (open.length === 0) break;
  // The clock skips delays between attempts; while an update is processed, time is real.
  const next = updates.next();
  if (next !== null && open.at(-1).state === 'waiting' && next.claimableAt > Date.now() + ahead) {
    ahead = next.claimableAt - Date.now();
    runner.wake();
  }
  await sleep(10);
}
await runner.stop();
const found = {
  // Without the input, which may exceed the buffer of a pipe.
  updates: updates.list({ limit: 100 }).map((update) => ({ ...update, input: undefined })),
  journal: keepsake.changes.list({ limit: 100 }).map(({ id, state: is }) => ({ id, state: is })),
};
const { recordError } = await keepsake.close();
report('over', { ...found, recordError });
