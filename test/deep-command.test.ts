import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { binaryPackages, runtimeVersion } from '../packages/vault/src/models/install-runtime.ts';
import { printSkip } from './missing.ts';
import { runCommand } from './run-command.ts';
import { makeTinyModels } from './local-models/make-tiny-models.ts';
import { findRealModel } from './local-models/real-model.ts';
import { startScriptedModels } from './local-models/server.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';

it('three commands configure a model behind a URL, compute vectors with it, and search with it', async () => {
  const server = await startScriptedModels();
  onTestFinished(() => server.close());
  const { vault, keepsake } = prepare();
  await keepsake('models', 'use', 'm1', '--url', server.baseUrl);
  expect(await keepsake('index', '--vault', vault)).toContain('2 files in 2 chunks');
  expect(await keepsake('index', 'status', '--vault', vault)).toContain('2 of 2 chunks have vectors');
  server.script('/embeddings', { do: 'status', status: 401 });
  layOut(vault, { 'roof.md': '# Roof\ngutter\n' });
  await expect(keepsake('index', '--vault', vault)).rejects.toThrow('401');
  const status = await keepsake('index', 'status', '--vault', vault);
  expect(status).toContain('2 of 3 chunks have vectors; the rest');
  expect(status).toMatch(/the last attempt to compute vectors failed: .*401/);
  await keepsake('index', '--vault', vault);
  const found = await keepsake('find', 'stripes', '--deep', '--vault', vault, '--json');
  expect(JSON.parse(found)).toMatchObject({ stages: ['lexical', 'vector'], degraded: [] });
  expect(await keepsake('models', 'use', 'none')).toContain('none');
  expect(readdirSync(vault).toSorted()).toEqual(['boiler.md', 'roof.md', 'zebra.md']);
}, 30_000);

it('local models are selected by name or file, and each performs its stage of a deep search', async ({
  skip,
}) => {
  const real = findRealModel();
  if ('missing' in real) return skip(printSkip(real.missing));
  const { vault, data, keepsake } = prepare();
  const models = join(data, 'models');
  const tiny = makeTinyModels(models);
  symlinkSync(real.runtimeFolder, join(data, 'runtime'));
  // Named like the real model, whose role is known.
  renameSync(tiny.reranker, join(models, 'qwen3-reranker-0.6b-q8_0.gguf'));

  const embedder = await keepsake('models', 'use', real.modelFile);
  expect(embedder).toBe(`embedder: ${real.modelFile}; compute its vectors with: keepsake index\n`);
  expect(await keepsake('models', 'use', tiny.expander, '--for', 'expander')).toMatch(/^expander: /);
  expect(await keepsake('models', 'use', 'qwen3-reranker-0.6b')).toBe('reranker: qwen3-reranker-0.6b\n');
  const list = await keepsake('models', 'list');
  expect(list).toMatch(/^qwen3-reranker-0\.6b +reranker +\S+ kB +in use/m);
  expect(list).toMatch(/^qmd-query-expansion-1\.7b +expander +1\.3 GB +not installed/m);
  expect(list).toMatch(/^own +expander +\S+ kB +in use +.*tiny-expander\.gguf$/m);

  await keepsake('index', '--vault', vault);
  const find = async (): Promise<unknown> =>
    JSON.parse(await keepsake('find', 'stripes', '--deep', '--vault', vault, '--json'));
  expect(await find()).toMatchObject({ stages: ['lexical', 'expansion', 'vector', 'rerank'], degraded: [] });

  await keepsake('models', 'use', 'none', '--for', 'expander');
  expect(await find()).toMatchObject({ stages: ['lexical', 'vector', 'rerank'], degraded: [] });
});

describe('models setup', () => {
  it('says what it downloads, asks, and then downloads and chooses the model', async () => {
    const server = await startScriptedModels();
    onTestFinished(() => server.close());
    const bytes = Buffer.from('GGUF and weights');
    const url = new URL(server.serve('/my-embedder.gguf', { bytes, huggingFace: true }));
    const { data, run, keepsake } = prepare();
    pretendRuntime(data);

    const refused = await run(['models', 'setup', url.href]);
    expect(refused.out).toBe(`download: model, size not known, from ${url.host}\n`);
    expect(refused.err).toBe('nothing was downloaded; to set it up, repeat the command with --yes\n');
    expect(refused.code).toBe(2);
    const declined = await run(['models', 'setup', url.href], { isTerminal: true, input: 'n\n' });
    expect(declined.code).toBe(2);
    expect(existsSync(join(data, 'models'))).toBe(false);

    const { code, out } = await run(['models', 'setup', url.href], { isTerminal: true, input: 'y\n' });
    expect(out).toContain('Continue? [y/N] ');
    expect(out).toContain(`embedder: ${url.href}; compute its vectors with: keepsake index\n`);
    expect(code).toBe(0);
    expect(readFileSync(join(data, 'models', 'my-embedder.gguf'), 'utf8')).toBe('GGUF and weights');
    expect(await keepsake('models', 'list')).toMatch(
      /^own +embedder +\S+ \S+ +in use +.*my-embedder\.gguf$/m,
    );
  });

  it('recommends a multilingual model, with sizes and time', async () => {
    const { run } = prepare();
    const { out, code } = await run(['models', 'setup']);
    expect(code).toBe(2);
    expect(out).toBe(
      'EmbeddingGemma 300M (languages: more than 100; licence: Gemma Terms of Use)\n' +
        'download: runtime for local models, about 50 MB, from the npm registry\n' +
        'download: model, 333.6 MB, from huggingface.co\n' +
        'vectors: once, about 15 minutes per 1,000 notes of 200 words on one core; keepsake serve computes them in the background\n',
    );
  });

  it('chooses a model that is on this machine without asking', async () => {
    const { data, keepsake } = prepare();
    pretendRuntime(data);
    mkdirSync(join(data, 'models'));
    writeFileSync(join(data, 'models', 'all-MiniLM-L6-v2-Q8_0.gguf'), 'GGUF');
    const out = await keepsake('models', 'setup', 'all-minilm-l6-v2');
    expect(out).toContain('embedder: all-minilm-l6-v2; compute its vectors with: keepsake index\n');
    expect(out).not.toContain('download');
    expect(await keepsake('models', 'list')).toMatch(/^all-minilm-l6-v2 .*in use/m);
    await expect(keepsake('models', 'setup', 'absent.gguf')).rejects.toThrow('no such file or known model');
  });
});

/** A runtime that looks installed. */
function pretendRuntime(data: string): void {
  const names = ['node-llama-cpp', binaryPackages(process.platform, process.arch, false)[0] ?? ''];
  for (const name of names)
    layOut(join(data, 'runtime', 'node_modules', name), {
      'package.json': JSON.stringify({ version: runtimeVersion }),
    });
}

it('a model that is missing or has another role is rejected', async () => {
  const { keepsake } = prepare();
  await expect(keepsake('models', 'use', 'qwen3-reranker-0.6b')).rejects.toThrow(
    'keepsake models pull qwen3-reranker-0.6b',
  );
  await expect(keepsake('models', 'use', 'qwen3-reranker-0.6b', '--for', 'embedder')).rejects.toThrow(
    'has the role reranker and cannot be used as embedder',
  );
});

/** A vault with two notes, and commands without any configuration. */
function prepare() {
  const home = temporaryFolder();
  const vault = join(home, 'vault');
  mkdirSync(vault);
  layOut(vault, { 'zebra.md': '# Zebra\nstripes\n', 'boiler.md': '# Boiler\nOctober\n' });
  const variables = { HOME: home, XDG_DATA_HOME: home };
  const run = (args: string[], options: Parameters<typeof runCommand>[1] = {}) =>
    runCommand(args, { ...options, variables });
  const keepsake = async (...args: string[]): Promise<string> => {
    const { code, out, err } = await run(args);
    if (code !== 0) throw new Error(err);
    return out;
  };
  return { vault, data: join(home, 'keepsake'), run, keepsake };
}
