#!/usr/bin/env node
import process from 'node:process';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 15)) {
  const problem = `Keepsake requires Node.js 24.15 or newer; found ${process.versions.node}`;
  // A hook never fails, because that could stop a prompt; the user is told at the start of a session.
  if (process.argv[2] === 'hook') {
    if (process.argv[4] === 'session-start')
      process.stdout.write(`${JSON.stringify({ systemMessage: problem })}\n`);
    process.exit(0);
  }
  process.stderr.write(`error: ${problem}\n`);
  process.exit(2);
}

// Imported dynamically, because older versions of Node.js could not even parse these modules.
if (process.argv[2] === 'hook') {
  // The doctor asks whether hooks start; nothing is read or recorded.
  if (process.env['KEEPSAKE_PROBE'] !== undefined) process.exit(0);
  const { runHook, standardInput } = await import('../hook/index.ts');
  await runHook(process.argv.slice(3), {
    calledAt: Math.floor(performance.timeOrigin),
    variables: process.env,
    input: () => standardInput(() => process.stdin),
    print: (text) => process.stdout.write(text),
    // A signal handler runs between synchronous steps, so a write that is in progress is completed before the exit.
    deferSignals() {
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => process.exit(0));
    },
    async drain(vault) {
      const { spawn } = await import('node:child_process');
      const { isSea } = await import('node:sea');
      const script = isSea() ? [] : [process.argv[1] ?? ''];
      const args = [...script, 'capture', 'drain', '--if-alone', '--vault', vault];
      const child = spawn(process.execPath, args, { detached: true, stdio: 'ignore', windowsHide: true });
      child.on('error', () => undefined);
      child.unref();
    },
    brief: async (request) => (await import('./session-brief.ts')).createSessionBrief(request),
  });
  process.exit(0);
}
const { main } = await import('./start.ts');
process.exitCode = await main(process.argv.slice(2));
