// Retried: a clock that was a year ahead when the model failed does not stop the queue for a year.
import { startModel } from './lib/model.mjs';
import { broken, failed, held, keepsake, newVault, prepare, sleep, start, vault } from './lib/world.mjs';

const updates = async () => JSON.parse(await prepare('updates', '--json')).updates;
await newVault();
const overloaded = await startModel(() => ({ status: 429 }));
const ahead = {
  ...overloaded.env,
  NODE_OPTIONS: `--import=${new URL('./lib/clock-ahead.mjs', import.meta.url).href}`,
};
const first = start(['add', 'the first', '--wait', '--vault', vault], { env: ahead, stdio: 'ignore' });
const ended = new Promise((resolve) => first.on('exit', resolve));
let seen;
for (let i = 0; i < 30; i++) {
  await sleep(500);
  [seen] = await updates();
  if (seen?.reason && seen.state === 'waiting') break;
}
first.kill();
await ended;
if (!seen?.reason) failed(`the first attempt did not fail: ${JSON.stringify(seen)?.slice(0, 100)}`);
// The clock is set right, and the model is well again.
await prepare('add', 'the second');
const model = await startModel(() => ({ text: 'There is nothing to file.' }));
await keepsake(['updates', 'run'], { env: model.env, seconds: 15 });
const waiting = (await updates()).filter(({ state }) => state !== 'done');
if (waiting.length > 0)
  broken(
    `${waiting.length} of 2 updates still wait after 15 s, and the model was asked ${model.requests.length} times`,
  );
held();
