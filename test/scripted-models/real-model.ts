import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hasRuntime, installRuntime } from '../../src/search/models/index.ts';

type RealModel = { runtimeFolder: string; modelFile: string };

/** Beside the repository where the work is shared; it makes a small English model. */
const recipe = resolve('..', 'shared', 'models', 'make-minilm');

/** A runtime and a model to run in it, kept for the next time; or why there are none. */
export async function prepareRealModel(): Promise<RealModel | { missing: string }> {
  const runtimeFolder = resolve('.tools', 'model-runtime');
  const modelFile = resolve('.tools', 'models', 'all-MiniLM-L6-v2.gguf');
  try {
    if (!hasRuntime(runtimeFolder))
      await installRuntime({ folder: runtimeFolder, gpu: false, onProgress: () => undefined });
  } catch (error) {
    return { missing: `no runtime: ${String(error)}` };
  }
  if (existsSync(modelFile)) return { runtimeFolder, modelFile };
  if (!existsSync(recipe)) return { missing: `no model: there is no ${join('..', 'shared', 'models')}` };
  try {
    execFileSync(recipe, [modelFile], { stdio: 'pipe' });
    return { runtimeFolder, modelFile };
  } catch (error) {
    return { missing: `no model: ${String(error)}` };
  }
}
