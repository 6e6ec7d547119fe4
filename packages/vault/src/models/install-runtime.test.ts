import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { missing } from '../../../../test/missing.ts';
import {
  binaryPackages,
  hasGpuRuntime,
  hasRuntime,
  installRuntime,
  runtimeVersion,
} from './install-runtime.ts';

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'keepsake-runtime-'));
  folder = join(root, 'runtime');
});
afterEach(() => rmSync(root, { recursive: true }));

/** An environment whose npm runs this script in the current folder instead of downloading. */
function environmentWithNpm(script: string | null): NodeJS.ProcessEnv {
  const bin = join(root, 'bin');
  rmSync(bin, { recursive: true, force: true });
  mkdirSync(bin);
  if (script !== null) {
    writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, 'npm'), 0o755);
  }
  return {
    PATH: script === null ? bin : [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
  };
}

/** A script that installs a library with this getLlama. */
const installing = (getLlama: string): string => {
  const [binary = ''] = binaryPackages(process.platform, process.arch, false);
  return `
    mkdir -p node_modules/node-llama-cpp/llama node_modules/${binary}
    echo '{"version":"${runtimeVersion}","type":"module","exports":"./index.js"}' > node_modules/node-llama-cpp/package.json
    echo '{"version":"${runtimeVersion}"}' > node_modules/${binary}/package.json
    echo 'export const getLlama = ${getLlama};' > node_modules/node-llama-cpp/index.js
    echo large > node_modules/node-llama-cpp/llama/gitRelease.bundle
    echo "$@" > arguments
  `;
};
const works = installing('async () => ({ dispose: async () => undefined })');
const install = (script: string | null, options: { gpu?: boolean; signal?: AbortSignal } = {}) =>
  installRuntime({
    folder,
    gpu: false,
    onProgress: () => undefined,
    environment: environmentWithNpm(script),
    ...options,
  });

describe.skipIf(missing('POSIX'))('installing the runtime', () => {
  it('requests only this version and platform from npm, runs no scripts, and deletes the sources', async () => {
    expect(hasRuntime(folder)).toBe(false);
    const steps: string[] = [];
    await installRuntime({
      folder,
      gpu: false,
      onProgress: ({ step }) => steps.push(step),
      environment: environmentWithNpm(works),
    });
    expect(hasRuntime(folder)).toBe(true);
    expect(steps).toEqual(['download', 'check']);
    const asked = readFileSync(join(folder, 'arguments'), 'utf8');
    expect(asked).toContain('--ignore-scripts --omit=optional');
    expect(asked.match(/\S+@3\S+/g)).toEqual([
      'node-llama-cpp@3.20.0',
      `${binaryPackages(process.platform, process.arch, false)[0]}@3.20.0`,
    ]);
    expect(existsSync(join(folder, 'node_modules/node-llama-cpp/llama/gitRelease.bundle'))).toBe(false);
    expect(readdirSync(root).toSorted()).toEqual(['bin', 'runtime']);
  });

  it('records whether the runtime has GPU support', async () => {
    expect(hasGpuRuntime(folder)).toBe(false);
    await install(works, { gpu: true });
    expect(hasGpuRuntime(folder)).toBe(true);
    await install(works);
    expect(hasGpuRuntime(folder)).toBe(false);
  });

  it('replaces another version', async () => {
    mkdirSync(join(folder, 'node_modules/node-llama-cpp'), { recursive: true });
    writeFileSync(join(folder, 'node_modules/node-llama-cpp/package.json'), '{"version":"3.0.0"}');
    expect(hasRuntime(folder)).toBe(false);
    await install(works);
    expect(hasRuntime(folder)).toBe(true);
  });

  it.each([
    ['npm is missing', null, 'npm is not installed'],
    ['npm fails', 'echo "ENOTFOUND registry" >&2; exit 1', 'ENOTFOUND registry'],
    ['nothing was installed', 'exit 0', 'cannot be loaded'],
    ['it cannot be loaded', installing('() => { throw new Error("no binary") }'), 'cannot be loaded'],
  ])('fails and keeps the existing installation when %s', async (_, script, message) => {
    await install(works);
    await expect(install(script)).rejects.toMatchObject({
      name: 'ModelError',
      code: 'bad-runtime',
      message: expect.stringContaining(message),
    });
    expect(hasRuntime(folder)).toBe(true);
    expect(readdirSync(root).toSorted()).toEqual(['bin', 'runtime']);
  });

  it('reports a folder that cannot be written', async () => {
    writeFileSync(join(root, 'file'), '');
    folder = join(root, 'file', 'runtime');
    await expect(install(works)).rejects.toMatchObject({ code: 'io' });
  });

  it('stops when it is aborted', async () => {
    await expect(install('exec sleep 20', { signal: AbortSignal.timeout(200) })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    expect(readdirSync(root)).toEqual(['bin']);
  });
});

describe('the packages of a platform', () => {
  it('are the CPU package, and the GPU packages on request', () => {
    expect(binaryPackages('linux', 'x64', false)).toEqual(['@node-llama-cpp/linux-x64']);
    expect(binaryPackages('linux', 'x64', true)).toHaveLength(4);
    expect(binaryPackages('darwin', 'arm64', true)).toEqual(['@node-llama-cpp/mac-arm64-metal']);
    expect(binaryPackages('aix', 'ppc64', false)).toEqual([]);
  });
});
