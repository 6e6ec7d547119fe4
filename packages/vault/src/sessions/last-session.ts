import type { Update } from '../app/index.ts';
import { formatLocalTime } from '../contract/index.ts';
import type { SessionEvent } from '../hook/index.ts';
import { redactSecrets } from '../secrets/index.ts';
import { baseName, findFrontmatter, formatPath, splitLines } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { listOpenSessions, listSegments } from './spool.ts';
import { getClientTitle, getSessionTitle } from './transcript.ts';

/** How a session ended. The words of a note may contain secrets, as anyone may have edited it. */
export type RecordedSession = {
  /** Local time of its last event, for example `2026-11-16T09:00:00`. */
  at: string;
  client: string;
  branch: string | null;
  title: string;
  /** The note with its words; null if there is none. */
  path: string | null;
  lastPrompt: string;
  /** The last answer; if the last prompt was not answered, the answer before it. */
  lastAnswer: string;
  isAnswered: boolean;
};

type Sources = {
  stateHome: string;
  root: string;
  /** The newest updates. */
  updates: readonly Pick<Update, 'input'>[];
};

/** Sessions of a project that have no note: they wait in the spool, or a model files them. `current` is the id of a session to omit. */
export function listSessionsWithoutNote(
  { stateHome, root, updates }: Sources,
  project: string,
  current: string | null,
): RecordedSession[] {
  const waiting = [
    ...listOpenSessions(stateHome, root).values(),
    ...listSegments(stateHome, root).flatMap(({ parts }) => [
      ...Map.groupBy(parts, ({ session }) => session).values(),
    ]),
  ].filter(([first]) => first?.project === project && first.session !== current);
  const submitted = updates.flatMap(({ input: { session, text } }) =>
    session?.project === project ? [{ ...session, path: null, ...parseLastExchange(text) }] : [],
  );
  return [...waiting.map(fromEvents), ...submitted].filter((session) => session !== null).filter(hasWords);
}

/** The session of a note; null if the note is none of a session. */
export function parseSessionNote(path: VaultPath, text: string): RecordedSession | null {
  const head = text.slice(0, findFrontmatter(text)?.bodyStart ?? 0);
  const [, day, hours, minutes] = /^(\d{4}-\d{2}-\d{2})-(\d{2})(\d{2})-/.exec(baseName(path)) ?? [];
  const client = readField(head, 'source');
  if (day === undefined || client === null) return null;
  const body = text.slice(head.length);
  const session = {
    at: readField(head, 'ended') ?? `${day}T${hours}:${minutes}:00`,
    client,
    branch: readField(head, 'branch'),
    title: /^# (.+)$/m.exec(body)?.[1] ?? '',
    path: formatPath(path),
    ...parseLastExchange(body),
  };
  return hasWords(session) ? session : null;
}

/** Removes secrets in one call, because the first one compiles the patterns. */
export function redactSession(session: RecordedSession): RecordedSession {
  // All other sessions were redacted when they were recorded.
  if (session.path === null) return session;
  const words = [session.title, session.lastPrompt, session.lastAnswer].join(separator);
  const [title = '', lastPrompt = '', lastAnswer = ''] = redactSecrets(words).text.split(separator);
  return { ...session, title, lastPrompt, lastAnswer };
}

const separator = '\n\0\n';

/** Our own notes have JSON strings as values; users and other programs may have changed that. */
function readField(head: string, name: string): string | null {
  const value = new RegExp(`^${name}: *(.+)$`, 'm').exec(head)?.[1]?.trim() ?? '';
  return value.replace(/^"(.*)"$/, '$1') || null;
}

function hasWords({ lastPrompt, lastAnswer }: RecordedSession): boolean {
  return lastPrompt !== '' || lastAnswer !== '';
}

type Exchange = Pick<RecordedSession, 'lastPrompt' | 'lastAnswer' | 'isAnswered'>;

function fromEvents(parts: readonly SessionEvent[]): RecordedSession | null {
  const spoken = parts.filter(({ event }) => event !== 'session-end');
  const [first, last] = [parts[0], spoken.at(-1)];
  if (first === undefined || last === undefined) return null;
  const textOf = (isWanted: (event: SessionEvent['event']) => boolean): string =>
    spoken.findLast(({ event }) => isWanted(event))?.text ?? '';
  return {
    at: formatLocalTime(last.at),
    client: getClientTitle(first.client),
    branch: last.branch ?? null,
    title: getSessionTitle(parts),
    path: null,
    lastPrompt: textOf((event) => event === 'prompt'),
    lastAnswer: textOf((event) => event !== 'prompt'),
    isAnswered: last.event !== 'prompt',
  };
}

/** Parses the last session of a text that `formatSession` has formatted. */
function parseLastExchange(text: string): Exchange {
  const blocks: { isPrompt: boolean; lines: string[] }[] = [];
  const lines = splitLines(text);
  for (const line of lines.slice(lines.findLastIndex((each) => each.startsWith('# ')) + 1)) {
    const isHeading = /^## \d\d:\d\d/.test(line);
    const isQuote = line.startsWith('>');
    const open = blocks.at(-1);
    if (isHeading || omittedParts.test(line)) blocks.push({ isPrompt: false, lines: [] });
    else if (open?.isPrompt === isQuote || (line.trim() === '' && open !== undefined)) open?.lines.push(line);
    else blocks.push({ isPrompt: isQuote, lines: [line] });
  }
  const spoken = blocks
    .map(({ isPrompt, lines: own }) => ({ isPrompt, text: own.map(plainLine).join('\n').trim() }))
    .filter((block) => block.text !== '');
  const textOf = (isPrompt: boolean): string =>
    spoken.findLast((block) => block.isPrompt === isPrompt)?.text ?? '';
  return {
    lastPrompt: textOf(true),
    lastAnswer: textOf(false),
    isAnswered: spoken.at(-1)?.isPrompt === false,
  };
}

const omittedParts = /^\(\d+ parts omitted\)$/;

/** A line without the quote mark and the escapes of `formatTranscript`. */
function plainLine(line: string): string {
  return line.startsWith('>')
    ? line.replace(/^> ?/, '')
    : line.replace(/^([-*+\d.) \t]{0,40})\\(?=[>#=-])/, '$1');
}
