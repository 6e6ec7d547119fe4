import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createIntake, findSandbox } from '../../packages/vault/src/intake/index.ts';
import type { Sandbox } from '../../packages/vault/src/intake/index.ts';
import { sandboxArguments } from '../../packages/vault/src/intake/sandbox.ts';
import { missing } from '../missing.ts';
import { temporaryFolder } from '../temporary-vault.ts';

const command = findSandbox(process.env['PATH'] ?? '');
const program = fileURLToPath(new URL('../..', import.meta.url));
const mail = Buffer.from('From: a@example.org\nSubject: Hello\n\nA letter.\n');

/** What code that Node's permissions do not restrict can reach, in a sandbox or without one. */
async function attack(sandbox: string | null): Promise<Record<string, unknown>> {
  const folder = temporaryFolder();
  const file = join(folder, 'note-of-another.md');
  writeFileSync(file, 'private\n');
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const started = [process.execPath, fileURLToPath(new URL('./hostile-native.mjs', import.meta.url))];
  const [run = '', ...given] =
    sandbox === null ? started : [sandbox, ...sandboxArguments([process.execPath, program]), ...started];
  const child = spawn(run, given, { env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  const { port } = server.address() as AddressInfo;
  child.send({ file, folder, port, secretOf: process.pid });
  const [results] = (await once(child, 'message')) as [Record<string, unknown>];
  return { ...results, hasWritten: existsSync(join(folder, 'written')) };
}

async function convert(sandbox: Sandbox) {
  const intake = createIntake({ sandbox });
  onTestFinished(() => intake.close());
  return (await intake.takeIn({ name: 'letter.eml', bytes: mail }, () => 'letter')).outcome;
}

describe.skipIf(missing('bubblewrap'))('a hostile converter', () => {
  it('reaches everything without a sandbox', async () => {
    expect(await attack(null)).toMatchObject({
      readsFile: 'done',
      listsFolder: 'done',
      readsEnvironment: 'done',
      connectsHere: 'done',
      hasWritten: true,
    });
  });

  it('reaches no other files, secrets, processes or network from its sandbox', async () => {
    expect(await attack(command)).toEqual({
      readsFile: 'ENOENT',
      listsFolder: 'ENOENT',
      writesFolder: 'ENOENT',
      writesProgram: 'EROFS',
      readsPasswords: 'ENOENT',
      readsEnvironment: 'ENOENT',
      runs: 'ENOENT',
      connectsHere: 'ECONNREFUSED',
      connectsElsewhere: 'ENETUNREACH',
      signals: 'ESRCH',
      environment: expect.not.arrayContaining(['PATH', 'HOME', 'KEEPSAKE_ROOT_KEY_FILE']),
      hasWritten: false,
    });
  });

  it('reads the files that are named, also below /dev/shm', () => {
    const folder = mkdtempSync('/dev/shm/keepsake-sandbox-');
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'program.js');
    writeFileSync(file, 'console.log("started")');
    const started = [...sandboxArguments([process.execPath, file]), process.execPath, file];
    expect(execFileSync(String(command), started, { env: {}, encoding: 'utf8' })).toBe('started\n');
  });
});

describe('the converter', () => {
  it.skipIf(missing('bubblewrap'))('gives the same result in the sandbox as without one', async () => {
    const reasons: string[] = [];
    const onUnavailable = (reason: string): void => void reasons.push(reason);
    const within = await convert({ command, isRequired: true, onUnavailable });
    expect(reasons).toEqual([]);
    expect(within).toMatchObject({ kind: 'converted' });
    expect(within).toEqual(await convert({ command: null, isRequired: false, onUnavailable }));
    expect(reasons).toEqual(['bubblewrap is not installed']);
  });

  it('reports an unusable sandbox and runs without it, unless a sandbox is required', async () => {
    const broken = join(temporaryFolder(), 'bwrap');
    writeFileSync(broken, '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n', {
      mode: 0o755,
    });
    const reasons: string[] = [];
    const onUnavailable = (reason: string): void => void reasons.push(reason);
    expect(await convert({ command: broken, isRequired: false, onUnavailable })).toMatchObject({
      kind: 'converted',
    });
    expect(await convert({ command: broken, isRequired: true, onUnavailable })).toMatchObject({
      kind: 'refused',
      code: 'no-sandbox',
    });
    expect(reasons).toEqual(Array(2).fill('bwrap: No permissions to create new namespace'));
  });
});
