import { AppError } from '../app/index.ts';
import type { Client } from './client.ts';
import { getPathModule } from './platform.ts';
import type { Platform } from './platform.ts';

/** A configuration file, and the folder that it must stay in even if it is a symbolic link. */
export type ConfigLocation = { file: string; within: string; isProject: boolean };

/** Resolves the configuration file of a client: in the given project, otherwise the user's. */
export function resolveConfigLocation(
  client: Client,
  machine: Platform,
  { project, present }: { project?: string | undefined; present: string },
): ConfigLocation {
  const path = getPathModule(machine);
  if (project !== undefined || client.userConfigFile === null) {
    const folder = path.resolve(present, project ?? '.');
    if (client.projectConfigPath === null)
      throw new AppError('bad-input', `${client.title} has no configuration per project`, {
        hint: 'omit --project',
      });
    return { file: path.join(folder, ...client.projectConfigPath), within: folder, isProject: true };
  }
  const file = client.userConfigFile(machine);
  const isInHome = file.startsWith(`${machine.home}${path.sep}`);
  return { file, within: isInHome ? machine.home : path.dirname(file), isProject: false };
}
