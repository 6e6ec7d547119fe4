import { findSecrets } from '../secrets/index.ts';
import type { RecordedSession, Speech } from './recorded-session.ts';
import type { QuotedLine } from './sentences.ts';
import { mayDecide } from './weigh-sentences.ts';

/** A session with the speeches that can be quoted, without secrets. */
export type SelectedSession = RecordedSession & {
  /** The lines of its other speeches. */
  others: QuotedLine[];
  isAnswered: boolean;
};

/** Twice of what the brief has room for. */
const maxCharacters = 10_000;

/**
 * Selects speeches of sessions, newest first: those of the user that may decide something, the last ones, those of the client that may
 * decide something, then the others.
 */
export function selectSpeeches(sessions: readonly RecordedSession[]): SelectedSession[] {
  const latest = sessions.flatMap(({ speeches }) => speeches.toReversed());
  const answers = latest.filter(({ kind }) => kind === 'answer');
  const prompts = latest.filter(({ kind }) => kind !== 'answer');
  const isDeciding = (speech: Speech): boolean => mayDecide(textOf(speech));
  const selected = new Set<Speech>();
  let length = 0;
  const select = (speech: Speech): void => {
    if (length > maxCharacters || selected.has(speech)) return;
    length += textOf(speech).length;
    selected.add(speech);
  };
  for (const speech of prompts) if (isDeciding(speech)) select(speech);
  for (const speech of [...prompts.slice(0, 1), ...answers.slice(0, 1)]) select(speech);
  for (const speech of answers) if (length <= maxCharacters && isDeciding(speech)) select(speech);
  for (const speech of [...prompts, ...answers]) select(speech);
  return hideSecrets(
    sessions.map((session) => ({
      ...session,
      speeches: session.speeches.filter((speech) => selected.has(speech)),
      isAnswered: session.speeches.at(-1)?.kind !== 'prompt',
      others: session.speeches.filter((speech) => !selected.has(speech)).flatMap(({ lines }) => lines),
    })),
  );
}

function textOf({ lines }: Speech): string {
  return lines.map(({ text }) => text).join('\n');
}

/** Hides secrets with one search, because the first one compiles the patterns. Anyone may have edited a note. */
function hideSecrets(sessions: readonly SelectedSession[]): SelectedSession[] {
  const text = sessions
    .map(({ title, speeches }) => [title, ...speeches.map(textOf)].join(separator))
    .join(separator);
  let clean = '';
  let end = 0;
  for (const secret of findSecrets(text)) {
    // The breaks stay, so that every line is where it was.
    const breaks = text.slice(secret.start, secret.end).match(/\n/g)?.join('') ?? '';
    clean += `${text.slice(end, secret.start)}[secret removed]${breaks}`;
    ({ end } = secret);
  }
  const lines = `${clean}${text.slice(end)}`.split('\n');
  let at = 0;
  const next = (): string => lines[at++] ?? '';
  return sessions.map((session) => {
    const title = next();
    const speeches = session.speeches.map((speech) => {
      at += 1;
      return { ...speech, lines: speech.lines.map((line) => ({ ...line, text: next() })) };
    });
    at += 1;
    return { ...session, title, speeches };
  });
}

/** A line that no secret contains. */
const separator = '\n\0\n';
