import { Problem } from './problem.ts';

/** What a caller knows a file to be. */
export type Precondition = { kind: 'new' } | { kind: 'any' } | { kind: 'revision'; among: string[] };

/** From `If-Match` and `If-None-Match: *`; throws when there is neither. */
export function readPrecondition(headers: Headers): Precondition {
  const [match, noneMatch] = [headers.get('if-match'), headers.get('if-none-match')];
  if (match !== null)
    return match.trim() === '*' ? { kind: 'any' } : { kind: 'revision', among: strongTags(match) };
  if (noneMatch?.trim() === '*') return { kind: 'new' };
  throw new Problem('precondition-missing');
}

/** Throws when the file is something else; `present` is null when there is none. */
export function checkPrecondition(wanted: Precondition, present: string | null): void {
  const holds =
    wanted.kind === 'new'
      ? present === null
      : present !== null && (wanted.kind === 'any' || wanted.among.includes(present));
  if (!holds) throw changedSince(present);
}

export function changedSince(present: string | null): Problem {
  return new Problem('changed-since', {
    detail: present === null ? 'there is no such file now' : 'the file is at another revision now',
    headers: present === null ? {} : { etag: tagOf(present) },
  });
}

/** Whether a cache that shows this header has the file already. */
export function isKnown(noneMatch: string | null, revision: string): boolean {
  if (noneMatch === null) return false;
  return noneMatch.trim() === '*' || strongTags(noneMatch.replaceAll('W/"', '"')).includes(revision);
}

export function tagOf(revision: string): string {
  return `"${revision}"`;
}

/** Weak ones promise less than a write needs, and are left out. */
function strongTags(header: string): string[] {
  return header.split(',').flatMap((tag) => /^\s*"([^"]*)"\s*$/.exec(tag)?.[1] ?? []);
}
