import type { Place } from './place.ts';

/** How a folder relates to projects: linked to one, excluded by the user, or unknown. */
export type ProjectLink =
  | { kind: 'project'; project: string; by: string }
  | { kind: 'none'; by: string }
  | { kind: 'unknown' };

/** Resolves the nearest link: of a folder around the place, in the main work tree too, otherwise of its repository. */
export function resolveProjectLink(
  { keys }: Pick<Place, 'keys'>,
  links: Readonly<Record<string, string | null>>,
): ProjectLink {
  const by = keys.find((key) => Object.hasOwn(links, key));
  if (by === undefined) return { kind: 'unknown' };
  const project = links[by];
  return project == null ? { kind: 'none', by } : { kind: 'project', project, by };
}
