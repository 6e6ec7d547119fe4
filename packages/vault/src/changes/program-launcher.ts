// Starts programs for a process that has become too large to do it itself.
import { runHere } from './run-program.ts';
import type { FromLauncher, Program, ToLauncher } from './run-program.ts';

const running = new Map<number, AbortController>();

process.on('message', (message: ToLauncher) => {
  if ('abort' in message) running.get(message.id)?.abort();
  else void run(message.id, message.program);
});
// Whoever started this one decides when it ends, also when a whole terminal is interrupted.
process.on('SIGINT', () => undefined);
process.once('disconnect', () => process.exit());

async function run(id: number, program: Program): Promise<void> {
  const control = new AbortController();
  running.set(id, control);
  const answer: FromLauncher = { id, ended: await runHere(program, control.signal) };
  running.delete(id);
  process.send?.(answer, () => undefined);
}
