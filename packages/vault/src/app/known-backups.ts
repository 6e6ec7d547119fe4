import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { replaceFile } from './replace-file.ts';

const schema = z.object({ folders: z.array(z.string()) });

/** Remembers where a backup was made, so that forgetting can name the copies that it does not reach. */
export function recordBackup(stateFolder: string, folder: string): void {
  if (!existsSync(stateFolder)) return;
  const folders = [...new Set([...readFolders(stateFolder), folder])];
  replaceFile(fileIn(stateFolder), `${JSON.stringify({ folders }, null, 2)}\n`);
}

/** The backups that were made on this machine and still exist. */
export function listKnownBackups(stateFolder: string): string[] {
  return readFolders(stateFolder).filter((folder) => existsSync(folder));
}

function fileIn(stateFolder: string): string {
  return join(stateFolder, 'backups.json');
}

/** Empty if the file is missing or damaged: it is only a list of reminders. */
function readFolders(stateFolder: string): string[] {
  try {
    return schema.parse(JSON.parse(readFileSync(fileIn(stateFolder), 'utf8'))).folders;
  } catch {
    return [];
  }
}
