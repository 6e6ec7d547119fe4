import { sep } from 'node:path';
import type { Update } from '../app/index.ts';
import type { Repository, SessionEvent } from '../hook/index.ts';
import { findFrontmatter, formatPath, splitLines } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import type { QuotedLine } from './sentences.ts';
import { parseSessionStart } from './session-notes.ts';
import { listOpenSessions, listSegments } from './spool.ts';
import { formatSession, getClientTitle, getSessionEnd, getSessionTitle } from './transcript.ts';

export type RecordedSession = {
  /** Local time of its last event, for example `2026-11-16T09:00:00`. */
  at: string;
  client: string;
  branch: string | null;
  title: string;
  /** The project whose folder contains its note, or will; null for the bucket of the vault. */
  project: string | null;
  /** Where to read all of it: the path of its note, or a command; null while it waits. */
  source: string | null;
  /** At least one. They may contain secrets, as anyone may have edited the note. */
  speeches: Speech[];
};

/** What one side said without a break. A summary is by the client, about the session. */
export type Speech = { kind: 'prompt' | 'answer' | 'summary'; lines: QuotedLine[] };

type Sources = {
  stateHome: string;
  root: string;
  /** The newest updates. */
  updates: readonly Pick<Update, 'id' | 'input'>[];
};

/** The sessions of a project, and those in a repository that belong to no project. */
export type SessionFilter = {
  project: string | null;
  repository: Repository | null;
};

/** Sessions that have no note: they wait in the spool, or a model files them. `current` is the id of a session to omit. */
export function listSessionsWithoutNote(
  { stateHome, root, updates }: Sources,
  { project, repository }: SessionFilter,
  current: string | null,
): RecordedSession[] {
  const waiting = [
    ...listOpenSessions(stateHome, root).values(),
    ...listSegments(stateHome, root).flatMap(({ parts }) => [
      ...Map.groupBy(parts, ({ session }) => session).values(),
    ]),
  ].flatMap((parts) => {
    const [first] = parts;
    if (first === undefined || first.session === current) return [];
    const isMeant = first.project === null ? isInRepository(first, repository) : first.project === project;
    return isMeant ? [fromEvents(first, parts)] : [];
  });
  // An update for no project can contain sessions of several repositories.
  const submitted = updates.flatMap(({ id, input: { session, text } }) =>
    session?.project == null || session.project !== project
      ? []
      : [{ ...session, source: `keepsake updates show ${id.slice(0, 8)}`, speeches: parseSpeeches(text) }],
  );
  return [...waiting, ...submitted].filter(({ speeches }) => speeches.length > 0);
}

function fromEvents(first: SessionEvent, parts: SessionEvent[]): RecordedSession {
  return {
    at: getSessionEnd(parts),
    client: getClientTitle(first.client),
    branch: parts.at(-1)?.branch ?? null,
    title: getSessionTitle(parts),
    project: first.project,
    source: null,
    speeches: parseSpeeches(formatSession([parts])),
  };
}

/** Where a session took place. */
type SessionPlace = { folder: string; remote: string | null; repository?: string | null };

function isInRepository(place: SessionPlace, repository: Repository | null): boolean {
  if (repository === null) return false;
  if (place.remote !== null) return place.remote === repository.remote;
  if (place.repository != null) return place.repository === repository.folder;
  return `${place.folder}${sep}`.startsWith(`${repository.folder}${sep}`);
}

/** The session of a note; null if the note is none of a session, or of one in another repository than the given one. */
export function parseSessionNote(
  path: VaultPath,
  text: string,
  filter: { project: string } | { repository: Repository },
): RecordedSession | null {
  const bodyStart = findFrontmatter(text)?.bodyStart ?? 0;
  const head = text.slice(0, bodyStart);
  const start = parseSessionStart(path);
  const client = readField(head, 'source');
  if (start === null || client === null) return null;
  const place = {
    folder: readField(head, 'folder') ?? '',
    remote: readField(head, 'remote'),
    repository: readField(head, 'repository'),
  };
  if ('repository' in filter && !isInRepository(place, filter.repository)) return null;
  const body = text.slice(bodyStart);
  const speeches = parseSpeeches(body, splitLines(head).length + 1);
  if (speeches.length === 0) return null;
  return {
    at: readField(head, 'ended') ?? start,
    client,
    branch: readField(head, 'branch'),
    title: /^# (.+)$/m.exec(body)?.[1] ?? '',
    project: 'project' in filter ? filter.project : null,
    source: formatPath(path),
    speeches,
  };
}

/** Our own notes have JSON strings as values; users and other programs may have changed that. */
function readField(head: string, name: string): string | null {
  const value = new RegExp(`^${name}: *(.+)$`, 'm').exec(head)?.[1]?.trim() ?? '';
  return value.replace(/^"(.*)"$/, '$1') || null;
}

/** Parses sessions that `formatSession` has formatted. `firstNumber` is the number of the first line; null outside of a note. */
function parseSpeeches(text: string, firstNumber: number | null = null): Speech[] {
  const speeches: Speech[] = [];
  let isOpen = false;
  let answerKind: 'answer' | 'summary' = 'answer';
  for (const [index, line] of splitLines(text).entries()) {
    const time = /^## \d\d:\d\d(,)?/.exec(line);
    if (time !== null || line.startsWith('# ') || omittedParts.test(line)) {
      isOpen = false;
      answerKind = time?.[1] === undefined ? 'answer' : 'summary';
      continue;
    }
    const last = isOpen ? speeches.at(-1) : undefined;
    const isBlank = line.trim() === '';
    const kind = line.startsWith('>') ? 'prompt' : answerKind;
    // The words of a model keep their escapes, so that none of their lines looks like a quote of the user.
    const words = kind === 'prompt' ? line.replace(/^> ?/, '') : line;
    const quoted = { text: words, number: firstNumber === null ? null : firstNumber + index };
    if (last !== undefined && (isBlank || last.kind === kind)) last.lines.push(quoted);
    else if (!isBlank) {
      speeches.push({ kind, lines: [quoted] });
      isOpen = true;
    }
  }
  return speeches;
}

const omittedParts = /^\(\d+ parts omitted\)$/;
