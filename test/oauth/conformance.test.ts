import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { findInstalled } from '../mcp/installed.ts';
import { printSkip } from '../missing.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import { decideConsent, openConsent, registerClient } from './client.ts';
import { publicVault } from './public-vault.ts';

const found = findInstalled();
if ('missing' in found) printSkip(found.missing);

/** Below the ephemeral range of the system, so that no other process gets it meanwhile. */
async function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!isFree) return freePort();
  server.close();
  await once(server, 'close');
  return port;
}

describe.skipIf('missing' in found)('the official conformance suite for authorization servers', () => {
  it('passes every check', async () => {
    if ('missing' in found) return;
    const vault = await publicVault();
    const port = await freePort();
    const client = await registerClient(vault, {
      client_name: 'Conformance',
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
    });
    const suite = found.file('@modelcontextprotocol/conformance', 'dist/index.js');
    const args = ['--url', vault.url, '--client-id', client, '--resource', vault.resource, '-p', `${port}`];
    const judge = spawn(process.execPath, [suite, 'authorization', ...args], { cwd: temporaryFolder() });
    onTestFinished(() => void judge.kill());
    let output = '';
    const authorization = Promise.withResolvers<string>();
    const listen = (part: Buffer): void => {
      output += part.toString();
      const [address] = /http:\/\/127\.0\.0\.1:\d+\/oauth\/authorize\?\S+/.exec(output) ?? [];
      if (address !== undefined) authorization.resolve(address);
    };
    judge.stdout.on('data', listen);
    judge.stderr.on('data', listen);
    const ended = once(judge, 'close');
    const address = await Promise.race([authorization.promise, ended.then(() => '')]);
    if (address === '') throw new Error(output);
    const browser = await vault.signedIn();
    const callback = await decideConsent(browser, await openConsent(vault, browser, address));
    // The suite prints the address before it listens for the callback.
    await vi.waitFor(() => fetch(callback), { timeout: 20_000 });
    const [code] = await ended;
    expect(output).toMatch(/Total: [1-9]\d* passed, 0 failed/);
    expect(code).toBe(0);
    console.log(output.slice(output.indexOf('=== SUMMARY')));
  });
});
