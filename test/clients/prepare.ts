// Gets Claude Code and Codex for tests, once. Where they cannot be had, the tests that need them say so and are skipped.
import { install } from './installed.ts';

const problem = install();
console.log(problem === null ? 'ready' : `skipped: ${problem}`);
