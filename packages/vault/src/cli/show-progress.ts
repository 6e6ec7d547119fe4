import { SingleBar } from 'cli-progress';
import type { Io } from './io.ts';

/** Shows a progress bar on standard error while long work runs, if that is a terminal. */
export async function withProgressBar<Value>(
  { stderr }: Io,
  label: string,
  work: (onProgress: (done: number, total: number) => void) => Promise<Value>,
): Promise<Value> {
  const bar = new SingleBar({
    format: `${label} {bar} {value} of {total}`,
    hideCursor: true,
    clearOnComplete: true,
    barsize: 30,
    stream: stderr,
    noTTYOutput: false,
  });
  let isStarted = false;
  try {
    return await work((done, total) => {
      if (!isStarted && done < total && stderr.isTTY === true) {
        bar.start(total, done);
        isStarted = true;
      }
      if (isStarted) bar.update(done);
    });
  } finally {
    if (isStarted) bar.stop();
  }
}
