#!/usr/bin/env node
import process from 'node:process';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 15)) {
  process.stderr.write(`error: Keepsake needs Node.js 24.15 or newer; this is ${process.versions.node}\n`);
  process.exit(2);
}

// Loaded only now: older versions of Node.js could not even parse what follows.
const { start } = await import('./start.ts');
process.exitCode = await start(process.argv.slice(2));
