import { SingleBar } from 'cli-progress';
import type { Io } from './io.ts';

/** Shows a progress bar for each phase of a long operation, if standard error is a terminal. */
export async function withPhaseBars<Value>(
  { stderr }: Io,
  work: (onProgress: (phase: string, done: number, total: number) => void) => Promise<Value>,
): Promise<Value> {
  let shown: { phase: string; bar: SingleBar } | null = null;
  const begin = (phase: string, done: number, total: number): SingleBar => {
    shown?.bar.stop();
    const bar = new SingleBar({
      format: `${phase.padEnd(10)} {bar} {value} of {total}`,
      hideCursor: true,
      clearOnComplete: true,
      barsize: 30,
      stream: stderr,
      noTTYOutput: false,
    });
    bar.start(total, done);
    shown = { phase, bar };
    return bar;
  };
  try {
    return await work((phase, done, total) => {
      if (stderr.isTTY !== true || total === 0) return;
      const bar = shown?.phase === phase ? shown.bar : begin(phase, done, total);
      bar.setTotal(total);
      bar.update(done);
    });
  } finally {
    (shown as { bar: SingleBar } | null)?.bar.stop();
  }
}
