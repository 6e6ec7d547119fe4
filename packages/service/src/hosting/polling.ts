/** Runs `work` repeatedly, with a pause of `everyMs` before each run. Returns a function that stops it. */
export function startPolling(everyMs: number, work: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const again = async (): Promise<void> => {
    await work();
    if (!isOver) timer = setTimeout(() => void again(), everyMs);
  };
  timer = setTimeout(() => void again(), everyMs);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
