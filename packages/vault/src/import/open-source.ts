import { realpathSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { AppError } from '../app/index.ts';
import { readFolder, readSingle } from './read-folder.ts';
import type { Source } from './source.ts';

/** A folder, an archive or a single file, wherever it lies but in the vault. */
export async function openSource(path: string, vault: string, stateFolder: string): Promise<Source> {
  const stats = lookAt(path);
  const place = realpathSync(path);
  if (`${place}/`.startsWith(`${vault}/`))
    throw new AppError('bad-input', `${path} lies in the vault already; there is nothing to import`);
  if (stats.isDirectory()) return readFolder(path, [vault, stateFolder]);
  if (!stats.isFile()) throw new AppError('bad-input', `${path} is neither a folder nor a file`);
  const single = readSingle(place);
  if (!(await isZip(single))) return single;
  const { readZip } = await import('./read-zip.ts');
  return readZip(path);
}

function lookAt(path: string): Stats {
  try {
    return statSync(path);
  } catch (cause) {
    throw new AppError('bad-input', `${path} cannot be read`, { mend: 'is it spelled right?', cause });
  }
}

async function isZip({ place, files: [file] }: Source): Promise<boolean> {
  if (file === undefined || /\.(?:docx|odt|epub)$/i.test(place)) return false;
  for await (const start of file.stream())
    return ['504b0304', '504b0506'].includes(start.subarray(0, 4).toString('hex'));
  return false;
}
