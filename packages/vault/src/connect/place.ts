import { AppError } from '../app/index.ts';
import type { Client } from './client.ts';
import { pathsOf } from './machine.ts';
import type { Machine } from './machine.ts';

/** A configuration file, and the folder it is expected to stay in whatever links there are. */
export type Place = { file: string; within: string; isProject: boolean };

/** Where a client's configuration belongs: in the project that is named, else where the person's lies. */
export function placeFor(
  client: Client,
  machine: Machine,
  { project, present }: { project?: string | undefined; present: string },
): Place {
  const path = pathsOf(machine);
  if (project !== undefined || client.personal === null) {
    const folder = path.resolve(present, project ?? '.');
    if (client.project === null)
      throw new AppError('bad-input', `${client.title} has no configuration per project`, {
        mend: 'leave out --project',
      });
    return { file: path.join(folder, ...client.project), within: folder, isProject: true };
  }
  const file = client.personal(machine);
  const isInHome = file.startsWith(`${machine.home}${path.sep}`);
  return { file, within: isInHome ? machine.home : path.dirname(file), isProject: false };
}
