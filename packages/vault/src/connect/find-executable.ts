import { existsSync } from 'node:fs';
import { join, posix, win32 } from 'node:path';

/** The path of a program on the search path; null if it is not installed. npm installs programs on Windows as `.cmd`. */
export function findExecutable(
  name: string,
  searchPath: string,
  platform: NodeJS.Platform = process.platform,
): string | null {
  const { delimiter } = platform === 'win32' ? win32 : posix;
  const endings = platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  const places = searchPath
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => endings.map((ending) => join(folder, `${name}${ending}`)));
  return places.find((file) => existsSync(file)) ?? null;
}
