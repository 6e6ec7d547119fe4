import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SearchOutcome } from '../../packages/vault/src/search/index.ts';
import { printSkip } from '../missing.ts';
import { findRealModel } from '../local-models/real-model.ts';
import { startScriptedModels } from '../local-models/server.ts';
import type { ScriptedModels } from '../local-models/server.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';
import { createUpkeepVault, until } from './upkeep-vault.ts';
import type { UpkeepVault } from './upkeep-vault.ts';

const boiler = '# Boiler\nThe boiler is serviced every October.\n';
const garden = '# Garden\nTomatoes need water in July.\n';

/** A vault that uses an embedding server on this machine. */
async function servedVault(
  files = {},
  more: object = {},
): Promise<{ vault: UpkeepVault; server: ScriptedModels }> {
  const server = await startScriptedModels();
  onTestFinished(() => server.close());
  const embedder = { baseUrl: server.baseUrl, model: 'e' };
  const vault = await createUpkeepVault({ files, configuration: { search: { embedder }, ...more } });
  return { vault, server };
}

const embedded = ({ events }: UpkeepVault): number =>
  events.reduce((sum, event) => sum + (event.kind === 'embedded' ? event.sections : 0), 0);
const failures = ({ events }: UpkeepVault): number =>
  events.filter((event) => event.kind === 'failed' && event.operation === 'indexing documents and vectors')
    .length;
const sentTexts = (server: ScriptedModels): string[] =>
  server.requests.flatMap(({ path, body }) =>
    path.endsWith('/embeddings') ? (body as { input: string[] }).input : [],
  );
const isComplete = async ({ keepsake }: UpkeepVault): Promise<boolean> =>
  (await keepsake.search.vectors())?.missing === 0;
/** Waits until all chunks have vectors and this has been reported. */
async function isSettled(vault: UpkeepVault): Promise<void> {
  await until(() => isComplete(vault), 'all chunks have vectors', 60_000);
  await vault.silence();
  vault.events.length = 0;
}
async function deep({ keepsake }: UpkeepVault, query: string): Promise<SearchOutcome & { kind: 'found' }> {
  const outcome = await keepsake.writeRun('model').search({ queries: [query], mode: 'deep' });
  if (outcome.kind !== 'found') throw new Error(outcome.kind);
  return outcome;
}

describe('vectors', () => {
  it('are computed for existing and new text, and no chunk is embedded twice', async () => {
    const tasks = '# Boiler\nCall the firm in October.\n\n# Garden\nPlant tomatoes.\n';
    const { vault, server } = await servedVault({ 'projects/house/tasks.md': tasks });
    await vault.start();
    await isSettled(vault);
    expect(sentTexts(server).filter((text) => text.includes('October'))).toHaveLength(1);
    writeFileSync(join(vault.folder, 'projects/house/tasks.md'), `# Roof\nMend the gutter.\n\n${tasks}`);
    await until(() => embedded(vault) > 0, 'the new text has vectors');
    await vault.silence();
    const texts = sentTexts(server).filter((text) => /October|gutter|tomatoes/.test(text));
    expect(texts).toHaveLength(3);
    expect(await deep(vault, 'gutter')).toMatchObject({ stages: ['lexical', 'vector'], warnings: [] });
  }, 30_000);

  it('are not computed for files hidden from AI', async () => {
    const { vault, server } = await servedVault(
      { 'private/diary.md': 'zanzibarquokka\n', 'bucket/boiler.md': boiler },
      { agents: { exclude: ['private/**'] } },
    );
    await vault.start();
    await isSettled(vault);
    writeFileSync(join(vault.folder, 'private/diary.md'), 'zanzibarquokka again\n');
    writeFileSync(join(vault.folder, 'bucket/garden.md'), garden);
    await until(() => embedded(vault) > 0, 'the new text has vectors');
    await vault.silence();
    expect(sentTexts(server).join('\n')).toContain('Tomatoes');
    expect(sentTexts(server).join('\n')).not.toContain('zanzibarquokka');
  }, 30_000);

  it('are not computed for files that are hidden from AI while upkeep is running', async () => {
    const { vault, server } = await servedVault({ 'bucket/boiler.md': boiler });
    await vault.start();
    await isSettled(vault);
    vault.configure({
      search: { embedder: { baseUrl: server.baseUrl, model: 'e' } },
      agents: { exclude: ['private/**'] },
    });
    layOut(vault.folder, { 'private/diary.md': 'zanzibarquokka\n', 'bucket/garden.md': garden });
    await until(() => embedded(vault) > 0, 'the new text has vectors');
    await vault.silence();
    expect(sentTexts(server).join('\n')).toContain('Tomatoes');
    expect(sentTexts(server).join('\n')).not.toContain('zanzibarquokka');
  }, 30_000);

  it('are requested again after a delay if the server fails, and the failure is reported once', async () => {
    const { vault, server } = await servedVault();
    await vault.start();
    await isSettled(vault);
    server.requests.length = 0;
    const refuse = { do: 'status', status: 401 } as const;
    server.script('/embeddings', refuse, refuse, refuse, refuse);
    writeFileSync(join(vault.folder, 'bucket-note.md'), boiler);
    await until(() => failures(vault) > 0, 'the failure is reported');
    expect((await vault.keepsake.search.vectors())?.problem).toContain('401');
    await until(() => embedded(vault) > 0, 'it works again');
    expect(failures(vault)).toBe(1);
    expect(server.requests.length).toBeLessThan(10);
    await until(() => isComplete(vault), 'nothing is missing');
    expect((await vault.keepsake.search.vectors())?.problem).toBeNull();
  }, 30_000);

  it('do not delay the end of upkeep, even if the server never responds', async () => {
    const { vault, server } = await servedVault();
    const upkeep = await vault.start();
    await isSettled(vault);
    server.requests.length = 0;
    server.script('/embeddings', ...Array.from({ length: 20 }, () => ({ do: 'hang' }) as const));
    writeFileSync(join(vault.folder, 'note.md'), boiler);
    await until(() => server.requests.length > 0, 'the server has a request');
    await upkeep.stop();
    expect(failures(vault)).toBe(0);
  }, 30_000);

  it('are removed some time after their text is deleted', async () => {
    const { vault, server } = await servedVault({ 'bucket/boiler.md': boiler });
    await vault.start({ timing: { vectorCleanupIntervalMs: 1 } });
    await isSettled(vault);
    rmSync(join(vault.folder, 'bucket/boiler.md'));
    await vault.silence();
    [server.requests.length, vault.events.length] = [0, 0];
    writeFileSync(join(vault.folder, 'bucket/boiler.md'), boiler);
    await until(() => embedded(vault) > 0, 'it has vectors again');
    expect(sentTexts(server).join()).toContain('October');
  }, 30_000);

  it('are recomputed without a restart when the configuration names another model', async () => {
    const { vault, server } = await servedVault({ 'bucket/boiler.md': boiler });
    await vault.start();
    await isSettled(vault);
    server.requests.length = 0;
    const embedder = { baseUrl: server.baseUrl, model: 'another' };
    writeFileSync(join(vault.folder, '../config.yaml'), JSON.stringify({ search: { embedder } }));
    await until(() => embedded(vault) > 0, 'the new model has embedded everything');
    expect(server.requests.every(({ body }) => (body as { model: string }).model === 'another')).toBe(true);
    expect(await deep(vault, 'boiler')).toMatchObject({ stages: ['lexical', 'vector'], warnings: [] });
  }, 30_000);

  it('make new text searchable by meaning within seconds, with a real model', async ({ skip }) => {
    const model = findRealModel();
    if ('missing' in model) return skip(printSkip(model.missing));
    const dataHome = temporaryFolder();
    mkdirSync(dataHome, { recursive: true });
    symlinkSync(model.runtimeFolder, join(dataHome, 'runtime'));
    const vault = await createUpkeepVault({
      files: { 'notes/garden.md': garden },
      configuration: { search: { embedder: { file: model.modelFile } } },
      dataHome,
    });
    await vault.start();
    await isSettled(vault);
    const since = performance.now();
    writeFileSync(join(vault.folder, 'notes/boiler.md'), boiler);
    await until(() => embedded(vault) > 0, 'the new text has vectors', 60_000);
    const { passages, stages } = await deep(vault, 'yearly maintenance of the heating');
    console.log(
      `found by meaning ${((performance.now() - since) / 1_000).toFixed(1)} s after it was written`,
    );
    expect(stages).toContain('vector');
    expect(passages[0]?.path).toBe('vault/notes/boiler.md');
  }, 120_000);
});
