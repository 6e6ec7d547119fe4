import { chromium } from 'playwright-core';
import { findChromium } from '../missing.ts';

/** A host name that resolves to this machine, as behind a proxy or in a private network. */
export const otherHostName = 'vault.test';

/** Starts a Chromium that several processes share, each with `chromium.connect`. */
export async function startChromium(): Promise<{ address: string; stop: () => Promise<void> }> {
  const server = await chromium.launchServer({
    executablePath: findChromium() ?? '',
    args: ['--no-sandbox', `--host-resolver-rules=MAP ${otherHostName} 127.0.0.1`],
    // The test runner handles signals, because it has to stop the other servers, too.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  return { address: server.wsEndpoint(), stop: () => server.close() };
}
