import { realpathSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { AppError } from '../app/index.ts';
import { readFolder, readSingleFile } from './read-folder.ts';
import type { Source } from './source.ts';

/** Opens a folder, an archive or a single file outside the vault. */
export async function openSource(path: string, vault: string, stateFolder: string): Promise<Source> {
  const stats = statSource(path);
  const place = realpathSync(path);
  if (`${place}/`.startsWith(`${vault}/`))
    throw new AppError('bad-input', `${path} is already in the vault; there is nothing to import`);
  if (stats.isDirectory()) return readFolder(path, [vault, stateFolder]);
  if (!stats.isFile()) throw new AppError('bad-input', `${path} is neither a folder nor a file`);
  const single = readSingleFile(place);
  if (!(await isZip(single))) return single;
  const { readZip } = await import('./read-zip.ts');
  return readZip(path, stateFolder);
}

function statSource(path: string): Stats {
  try {
    return statSync(path);
  } catch (cause) {
    throw new AppError('bad-input', `${path} cannot be read`, { hint: 'check the path', cause });
  }
}

async function isZip({ location, files: [file] }: Source): Promise<boolean> {
  if (file === undefined || /\.(?:docx|odt|epub)$/i.test(location)) return false;
  for await (const start of file.stream())
    return ['504b0304', '504b0506'].includes(start.subarray(0, 4).toString('hex'));
  return false;
}
