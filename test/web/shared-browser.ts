import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { sharedServer } from '../shared-server.ts';

/** The connection of this process, which all its test files use. */
let connected: Promise<Browser> | undefined;

/** The Chromium of the run. What a test does in a context of its own, it does not share with other tests. */
export function sharedBrowser(): Promise<Browser> {
  connected ??= sharedServer('chromium').then((address) => chromium.connect(address));
  return connected;
}
