// Installs third-party MCP clients once for all tests. Tests that need them are skipped if they are not available.
import { install } from './installed.ts';

const problem = install();
console.log(problem === null ? 'ready' : `skipped: ${problem}`);
