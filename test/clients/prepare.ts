// Installs Claude Code and Codex for tests, once. If that fails, the tests that need them report it and are skipped.
import { install } from './installed.ts';

const problem = install();
console.log(problem === null ? 'ready' : `skipped: ${problem}`);
