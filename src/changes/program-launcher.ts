// Starts programs for a process that has become too large to do it itself.
import { runHere } from './run-program.ts';
import type { FromLauncher, ToLauncher } from './run-program.ts';

const running = new Map<number, AbortController>();

process.on('message', (message: ToLauncher) => {
  const { id } = message;
  if ('abort' in message) return running.get(id)?.abort();
  const control = new AbortController();
  running.set(id, control);
  void runHere(message.program, control.signal).then((ended) => {
    running.delete(id);
    const answer: FromLauncher = { id, ended };
    process.send?.(answer, () => undefined);
  });
});
// Whoever started this one decides when it ends, also when a whole terminal is interrupted.
process.on('SIGINT', () => undefined);
process.once('disconnect', () => process.exit());
