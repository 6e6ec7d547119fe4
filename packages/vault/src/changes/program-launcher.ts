// Starts programs on behalf of a process that is too large to fork efficiently.
import { runInProcess } from './run-program.ts';
import type { LauncherResponse, Program, LauncherRequest } from './run-program.ts';

const running = new Map<number, AbortController>();

process.on('message', (message: LauncherRequest) => {
  if ('abort' in message) running.get(message.id)?.abort();
  else void run(message.id, message.program);
});
// The parent process decides when this one ends, even when Ctrl-C interrupts all processes of the terminal.
process.on('SIGINT', () => undefined);
process.once('disconnect', () => process.exit());

async function run(id: number, program: Program): Promise<void> {
  const control = new AbortController();
  running.set(id, control);
  const answer: LauncherResponse = { id, ended: await runInProcess(program, control.signal) };
  running.delete(id);
  process.send?.(answer, () => undefined);
}
