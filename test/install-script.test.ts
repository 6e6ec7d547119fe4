import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compressExecutable } from '../scripts/executable/compress-executable.ts';
import { executablePlatforms } from '../scripts/executable/node-programs.ts';
import { archiveName, installScripts } from '../scripts/executable/published-files.ts';
import { useTemporaryFolder } from './use-temporary-folder.ts';

const root = useTemporaryFolder();
const version = '1.2.3';
let server: Server;
let script: string;

/** The archives are the same for every platform; they contain a shell script instead of an executable. */
beforeAll(async () => {
  const program = join(root, 'keepsake');
  writeFileSync(program, `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
  const archives = [];
  for (const platform of executablePlatforms) {
    const file = archiveName(version, platform);
    await compressExecutable(program, join(root, file));
    const sha256 = createHash('sha256')
      .update(readFileSync(join(root, file)))
      .digest('hex');
    archives.push({ platform, file, sha256 });
  }
  server = createServer(({ url = '' }, response) => {
    const changed = url.startsWith('/changed/');
    const file = join(root, url.slice(url.lastIndexOf('/')));
    if (!existsSync(file)) return void response.writeHead(404).end();
    response.end(Buffer.concat([readFileSync(file), Buffer.from(changed ? 'x' : '')]));
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  script = installScripts(version, address, archives).find(({ name }) => name === 'install.sh')?.text ?? '';
});
afterAll(() => void server.close());

function install(
  name: string,
  text: string,
  variables: NodeJS.ProcessEnv = {},
): Promise<{ code: number; out: string; bin: string }> {
  const home = join(root, name);
  mkdirSync(home, { recursive: true });
  const env = { HOME: home, PATH: process.env['PATH'], ...variables };
  return new Promise((resolve) => {
    const child = execFile('sh', ['-s'], { env }, (error, stdout, stderr) =>
      resolve({
        code: error === null ? 0 : Number(error.code),
        out: stdout + stderr,
        bin: join(home, '.local/bin'),
      }),
    );
    child.stdin?.end(text);
  });
}

describe.skipIf(process.platform === 'win32')('install.sh (needs sh, not on Windows)', () => {
  it('installs the program of the release and replaces an older one', async () => {
    const bin = join(root, 'fresh/.local/bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'keepsake'), 'older');
    const { code, out } = await install('fresh', script);
    expect(out).toContain(`installed Keepsake ${version}: ${bin}/keepsake`);
    expect(out).toContain(`export PATH="${bin}:$PATH"`);
    expect(code).toBe(0);
    expect(readdirSync(bin)).toEqual(['keepsake']);
    expect(readFileSync(join(bin, 'keepsake'), 'utf8')).toContain(version);
  });

  it('installs nothing if the checksum differs, and keeps the installed program', async () => {
    const bin = join(root, 'changed/.local/bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'keepsake'), 'older');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/changed`;
    const { code, out } = await install('changed', script, { KEEPSAKE_DOWNLOAD: address });
    expect(code).toBe(1);
    expect(out).toMatch(/has the SHA-256 [\da-f]{64}, expected [\da-f]{64}; nothing was installed/);
    expect(readdirSync(bin)).toEqual(['keepsake']);
    expect(readFileSync(join(bin, 'keepsake'), 'utf8')).toBe('older');
  });

  it('says what it could not download', async () => {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const missing = script.replaceAll(version, '1.2.4');
    const { code, out, bin } = await install('missing', missing);
    expect(code).toBe(1);
    expect(out).toContain(`cannot download ${address}/keepsake-1.2.4-`);
    expect(readdirSync(bin)).toEqual([]);
  });

  it('does nothing if its own download ended early', async () => {
    const lines = script.split('\n');
    for (const share of [0.3, 0.6, 0.9]) {
      const text = lines.slice(0, Math.floor(lines.length * share)).join('\n');
      const { bin } = await install(`cut${share}`, text);
      expect(existsSync(bin)).toBe(false);
    }
  });
});
