/** How long one slice may take, in milliseconds, so that typing and scrolling stay smooth. */
const sliceMs = 12;

/** Runs the steps of a long computation, and lets the browser handle input and paint between slices of them. */
export async function runInSlices<Result>(steps: Generator<undefined, Result, undefined>): Promise<Result> {
  let start = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (performance.now() - start < sliceMs) continue;
    await new Promise((resume) => setTimeout(resume));
    start = performance.now();
  }
}
