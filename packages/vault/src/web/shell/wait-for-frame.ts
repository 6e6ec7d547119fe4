/**
 * Resolves when the browser has painted the empty frame of the page, so that rendering the application does not delay it.
 * A tab in the background paints nothing, so it does not wait.
 */
export function waitForFrame(): Promise<void> {
  if (document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, maxWaitMs);
  });
}

const maxWaitMs = 100;
