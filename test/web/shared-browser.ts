import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { sharedServer } from '../shared-server.ts';

/** The connection of this process, shared by all its test files. */
let connected: Promise<Browser> | undefined;

/** The Chromium of the test run. Tests are isolated by their browser contexts. */
export function sharedBrowser(): Promise<Browser> {
  connected ??= sharedServer('chromium').then((address) => chromium.connect(address));
  return connected;
}
