// Starts programs on behalf of a process that is too large to fork efficiently.
import { runInProcess } from './run-program.ts';
import type { LauncherResponse, Program, LauncherRequest } from './run-program.ts';

const running = new Map<number, AbortController>();

process.on('message', (message: LauncherRequest) => {
  if ('abort' in message) running.get(message.id)?.abort();
  else void run(message.id, message.program, message.isStreamed);
});
// The parent process decides when this one ends, even when Ctrl-C interrupts all processes of the terminal.
process.on('SIGINT', () => undefined);
process.once('disconnect', () => process.exit());

async function run(id: number, program: Program, isStreamed: boolean): Promise<void> {
  const control = new AbortController();
  running.set(id, control);
  // The program continues when its output was sent, so that it cannot fill the memory of this process.
  const onOutput = (output: Buffer): Promise<void> => send({ id, output });
  const options = { signal: control.signal, ...(isStreamed && { onOutput }) };
  const ended = await runInProcess(program, options);
  running.delete(id);
  await send({ id, ended });
}

function send(response: LauncherResponse): Promise<void> {
  return new Promise((resolve) => void process.send?.(response, () => resolve()));
}
