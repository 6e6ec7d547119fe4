import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a program of ours needs around it, and nothing of the person's; compiled once, not anew by each of a thousand. */
export const processVariables = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: join(tmpdir(), 'keepsake-compile-cache'),
};
