import { chromium } from 'playwright-core';
import { findChromium } from '../missing.ts';

/** A name that leads here, as a proxy or a private network gives one. */
export const otherName = 'vault.test';

/** A Chromium that several processes use at the same time, each with `chromium.connect`. */
export async function startChromium(): Promise<{ address: string; stop: () => Promise<void> }> {
  const server = await chromium.launchServer({
    executablePath: findChromium() ?? '',
    args: ['--no-sandbox', `--host-resolver-rules=MAP ${otherName} 127.0.0.1`],
    // Whoever ends the run has the other servers to stop, too.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  return { address: server.wsEndpoint(), stop: () => server.close() };
}
