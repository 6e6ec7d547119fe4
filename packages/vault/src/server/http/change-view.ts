import type { z } from 'zod';
import type { Keepsake } from '../../app/index.ts';
import type { api, TimeZone } from '../../contract/index.ts';
import { formatPath } from '../../vault/index.ts';

type Listed = ReturnType<Keepsake['changes']['list']>[number];

/** An import may have thousands of files; the route of a single change returns all of them. */
const maxListedFiles = 12;

/** The list view of a change: its first files, and its day in this time zone. */
export function toChangeView(
  { paths, files, ...change }: Listed,
  zone: TimeZone,
): z.infer<typeof api.history>['changes'][number] {
  const movedFrom = new Set(files.map(({ from }) => from));
  // The old path of a moved file is part of the entry for its new path.
  const listedFiles = files.filter(({ path, kind }) => kind !== 'deleted' || !movedFrom.has(path));
  const count = (isMeant: (file: Listed['files'][number]) => boolean): number =>
    listedFiles.filter(isMeant).length;
  return {
    ...change,
    day: zone.dayOf(change.at),
    paths: paths.map(formatPath),
    files: listedFiles.slice(0, maxListedFiles).map((file) => ({
      ...file,
      path: formatPath(file.path),
      from: file.from === null ? null : formatPath(file.from),
    })),
    counts: {
      files: listedFiles.length,
      created: count(({ kind, from }) => kind === 'created' && from === null),
      edited: count(({ kind }) => kind === 'edited'),
      deleted: count(({ kind }) => kind === 'deleted'),
      moved: count(({ from }) => from !== null),
    },
  };
}
