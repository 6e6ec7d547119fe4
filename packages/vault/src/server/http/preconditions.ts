import { Problem } from './problem.ts';

/** The state that a file must have for a write. */
export type Precondition = { kind: 'new' } | { kind: 'any' } | { kind: 'revision'; among: string[] };

/** Reads `If-Match` or `If-None-Match: *`; throws if both are missing. */
export function parsePrecondition(headers: Headers): Precondition {
  const [match, noneMatch] = [headers.get('if-match'), headers.get('if-none-match')];
  if (match !== null)
    return match.trim() === '*' ? { kind: 'any' } : { kind: 'revision', among: parseStrongEtags(match) };
  if (noneMatch?.trim() === '*') return { kind: 'new' };
  throw new Problem('precondition-missing');
}

/** Throws if the precondition fails; the current revision is null if the file does not exist. */
export function checkPrecondition(precondition: Precondition, currentRevision: string | null): void {
  const holds =
    precondition.kind === 'new'
      ? currentRevision === null
      : currentRevision !== null &&
        (precondition.kind === 'any' || precondition.among.includes(currentRevision));
  if (!holds) throw preconditionFailed(currentRevision);
}

export function preconditionFailed(currentRevision: string | null): Problem {
  return new Problem('changed-since', {
    detail: currentRevision === null ? 'the file no longer exists' : 'the file has a newer revision',
    headers: currentRevision === null ? {} : { etag: formatEtag(currentRevision) },
  });
}

/** Whether an `If-None-Match` header matches this revision. */
export function matchesEtag(noneMatch: string | null, revision: string): boolean {
  if (noneMatch === null) return false;
  return noneMatch.trim() === '*' || parseStrongEtags(noneMatch.replaceAll('W/"', '"')).includes(revision);
}

export function formatEtag(revision: string): string {
  return `"${revision}"`;
}

/** Ignores weak tags, which are not sufficient for a write. */
function parseStrongEtags(header: string): string[] {
  return header.split(',').flatMap((tag) => /^\s*"([^"]*)"\s*$/.exec(tag)?.[1] ?? []);
}
