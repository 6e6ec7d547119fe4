import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findInstalled } from '../mcp/installed.ts';
import { printSkip } from '../missing.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import { agree, consentAt, registered } from './client.ts';
import { publicVault } from './public-vault.ts';

const found = findInstalled();
if ('missing' in found) printSkip(found.missing);

/** Below those that the system hands out by itself, so that nobody gets it meanwhile. */
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
  it('finds everything that it asks for, up to a token', async () => {
    if ('missing' in found) return;
    const vault = await publicVault();
    const port = await freePort();
    const client = await registered(vault, {
      client_name: 'Conformance',
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
    });
    const suite = found.file('@modelcontextprotocol/conformance', 'dist/index.js');
    const given = ['--url', vault.url, '--client-id', client, '--resource', vault.resource, '-p', `${port}`];
    const judge = spawn(process.execPath, [suite, 'authorization', ...given], { cwd: temporaryFolder() });
    onTestFinished(() => void judge.kill());
    let output = '';
    const asked = Promise.withResolvers<string>();
    const listen = (part: Buffer): void => {
      output += part.toString();
      const [address] = /http:\/\/127\.0\.0\.1:\d+\/oauth\/authorize\?\S+/.exec(output) ?? [];
      if (address !== undefined) asked.resolve(address);
    };
    judge.stdout.on('data', listen);
    judge.stderr.on('data', listen);
    const ended = once(judge, 'close');
    const address = await Promise.race([asked.promise, ended.then(() => '')]);
    if (address === '') throw new Error(output);
    const browser = await vault.signedIn();
    await fetch(await agree(browser, await consentAt(vault, browser, address)));
    const [code] = await ended;
    expect(output).toMatch(/Total: [1-9]\d* passed, 0 failed/);
    expect(code).toBe(0);
    console.log(output.slice(output.indexOf('=== SUMMARY')));
  });
});
