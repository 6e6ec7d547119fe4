// Clocks that jump stop nothing: recorded sessions are filed once a clock that was a year ahead is right again.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startModel } from './lib/model.mjs';
import { callHook, recordSessions } from './lib/sessions.mjs';
import { broken, failed, held, keepsake, newVault, world } from './lib/world.mjs';

const projects = ['jumped', 'control'];
await newVault(Object.fromEntries(projects.map((name) => [`projects/${name}/state.md`, `# ${name}\n`])));
for (const name of projects) mkdirSync(join(world, name));
recordSessions(Object.fromEntries(projects.map((name) => [join(world, name), name])));
const model = await startModel(() => ({ text: 'There is nothing to file.' }));
const clock = (hours) => ({
  ...model.env,
  CLOCK_AHEAD: String(hours),
  NODE_OPTIONS: `--import=${new URL('./lib/clock-ahead.mjs', import.meta.url).href}`,
});
const session = async (name, number, hours) => {
  const id = `${name} ${number}`;
  const prompt = `We decided on number ${number}. ${'Because it is one file and we have no server. '.repeat(15)}`;
  const input = { cwd: join(world, name), session_id: id, prompt_id: id };
  await callHook('prompt', { ...input, prompt }, clock(hours));
  await callHook('turn', { ...input, last_assistant_message: `Number ${number} it is.` }, clock(hours));
};
/** To be called an hour after the sessions, which are then finished. */
const drain = async (hours) => {
  const done = await keepsake(['capture', 'drain', '--json'], { env: clock(hours) });
  if (done.code !== 0) failed(done.stderr);
  return JSON.parse(done.stdout);
};
const year = 365 * 24;
await session('jumped', 1, year);
const first = await drain(year + 1);
await session('control', 1, 0);
const second = await drain(1);
if (first.updates.length !== 1 || second.updates.length !== 1)
  failed(`not filed: ${JSON.stringify([first, second])}`);
// Three hours later, and the clock is right.
for (const name of projects) await session(name, 2, 3);
const third = await drain(4.5);
if (third.updates.length !== 2)
  broken(`of a session in each of two projects ${third.updates.length} is filed and ${third.waiting} waits`);
held();
