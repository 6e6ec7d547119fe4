import type { z } from 'zod';
import type { Keepsake } from '../../app/index.ts';
import type { api, TimeZone } from '../../contract/index.ts';
import { showPath } from '../../vault/index.ts';

type Listed = ReturnType<Keepsake['changes']['list']>[number];

/** An import may be of thousands; who wants to see all of them looks at the change itself. */
const mostFiles = 12;

/** A change of the list, with the first of its files, and the day that it was made on in this zone. */
export function showChange(
  { paths, files, ...change }: Listed,
  zone: TimeZone,
): z.infer<typeof api.history>['changes'][number] {
  const movedFrom = new Set(files.map(({ from }) => from));
  // Where something was moved from is told of with where it is now.
  const told = files.filter(({ path, kind }) => kind !== 'deleted' || !movedFrom.has(path));
  const count = (isMeant: (file: Listed['files'][number]) => boolean): number => told.filter(isMeant).length;
  return {
    ...change,
    day: zone.dayOf(change.at),
    paths: paths.map(showPath),
    files: told.slice(0, mostFiles).map((file) => ({
      ...file,
      path: showPath(file.path),
      from: file.from === null ? null : showPath(file.from),
    })),
    counts: {
      files: told.length,
      created: count(({ kind, from }) => kind === 'created' && from === null),
      edited: count(({ kind }) => kind === 'edited'),
      deleted: count(({ kind }) => kind === 'deleted'),
      moved: count(({ from }) => from !== null),
    },
  };
}
