import { formatLocalTime } from '../contract/index.ts';
import type { LocalTime } from '../contract/index.ts';
import type { SessionEvent } from '../hook/index.ts';
import { splitLines } from '../vault/index.ts';
import { splitSentences } from './sentences.ts';
import { weighText } from './weigh-sentences.ts';

const titles: Record<SessionEvent['client'], string> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  cursor: 'Cursor',
  opencode: 'OpenCode',
};

/** About 6,000 tokens. */
export const maxTranscriptLength = 24_000;

export function getClientTitle(client: SessionEvent['client']): string {
  return titles[client];
}

/** The number of characters of all prompts, answers and summaries. */
export function getTextLength(parts: readonly SessionEvent[]): number {
  return filterSpoken(parts).reduce((sum, { text }) => sum + text.length, 0);
}

/** The client's title of the session, otherwise the start of the first prompt. */
export function getSessionTitle(parts: readonly SessionEvent[]): string {
  const named = parts.findLast(({ title }) => title !== undefined)?.title;
  const texts = [named, ...parts.filter(({ event }) => event === 'prompt').map(({ text }) => text)];
  const candidates = texts.map((text) => toTitle(text ?? ''));
  const [first] = parts;
  const fallback =
    first === undefined
      ? 'Session'
      : `Session ${formatLocalTime(first.at).slice(0, 16).replace('T', ' ')}, ${getClientTitle(first.client)}`;
  return candidates.find((title) => title !== '') ?? fallback;
}

const maxTitleLength = 80;

/** The first line with words, without list, quote and heading marks. */
function toTitle(text: string): string {
  const line = text.split('\n').find((each) => /[\p{L}\p{N}]/u.test(each)) ?? '';
  return truncateText(
    line
      .replace(/^[\s#>*+\-=`]+/, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
    maxTitleLength,
  );
}

/** Cuts a text between two characters as a reader sees them, at a space if one is near. */
export function truncateText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text.slice(0, maxLength + 40))) {
    if (kept.length + segment.length > maxLength - 1) break;
    kept += segment;
  }
  const space = kept.lastIndexOf(' ');
  return `${(space > maxLength * 0.7 ? kept.slice(0, space) : kept).trimEnd()}…`;
}

/** Segments with fewer characters are not worth keeping, unless they decide something. */
const minSegmentLength = 400;

/** Whether the user decided something in a part of a session, or it has enough text and, unless a model decides, substance. */
export function isWorthKeeping(parts: readonly SessionEvent[], hasModel: boolean): boolean {
  const isLong = getTextLength(parts) >= minSegmentLength;
  return (isLong && (hasModel || hasSubstance(parts))) || hasDecision(parts);
}

function hasDecision(parts: readonly SessionEvent[]): boolean {
  return parts.some(
    ({ event, text }) =>
      event === 'prompt' &&
      splitSentences(splitLines(text).map((line) => ({ text: line, number: null }))).some(
        (sentence) => sentence.kind !== 'code' && weighText(sentence.text) === 2,
      ),
  );
}

/** Whether the user said more than a few words such as "continue", or the client summarized the session. */
function hasSubstance(parts: readonly SessionEvent[]): boolean {
  if (parts.some(({ event }) => event === 'post-compact')) return true;
  const said = parts.filter(({ event, text }) => event === 'prompt' && !isAcknowledgement(text));
  return said.reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0) >= minLetters;
}

const minLetters = 8;
const acknowledgement =
  /^\W*(?:(?:hi|hello|hey|test|thanks?(?: you)?|thx|ok(?:ay)?|yes|no|go(?: ahead| on)?|continue|proceed|retry|again|next|done|stop|please|great|good|perfect|salut|bonjour|merci|oui|non|vas-y|continuez?|encore|suivant|d.accord|parfait|s.il te pla[iî]t)\b\W*)+$/iu;

function isAcknowledgement(text: string): boolean {
  return text.length < 60 && acknowledgement.test(text);
}

/** Formats a session with its title, as notes and updates contain it. */
export function formatSession(segments: readonly SessionEvent[][]): string {
  return `# ${getSessionTitle(segments.flat())}\n\n${formatSegments(segments)}`;
}

/** Formats parts of a session, each shortened on its own. */
export function formatSegments(segments: readonly SessionEvent[][]): string {
  return segments.map((parts) => formatTranscript(parts)).join('\n\n');
}

/** The local time of the last event. */
export function getSessionEnd(parts: readonly SessionEvent[]): LocalTime {
  return formatLocalTime(Math.max(...parts.map(({ at }) => at)));
}

/** Formats a part of a session as Markdown: prompts as quotes, answers as they are. */
export function formatTranscript(parts: readonly SessionEvent[]): string {
  const blocks = filterSpoken(parts).map(({ event, at, client, text }) => {
    const time = formatLocalTime(at).slice(11, 16);
    if (event === 'prompt') return `## ${time}\n\n${text.replaceAll(/^/gm, '> ')}`;
    const plain = escapeStructure(text);
    return event === 'post-compact' ? `## ${time}, summary by ${getClientTitle(client)}\n\n${plain}` : plain;
  });
  return truncateTranscript(blocks).join('\n\n');
}

/**
 * Escapes headings and quotes in the words of a model, also inside list items: in a transcript, a heading starts a turn and a
 * quote is what the user said.
 */
function escapeStructure(text: string): string {
  return text
    .replaceAll(/^([-*+\d.) \t]{0,40})(>|#{1,6}(?=[ \t]|$))/gm, String.raw`$1\$2`)
    .replaceAll(/^( {0,3})(=+|-+)(?=[ \t]*$)/gm, String.raw`$1\$2`)
    .replaceAll(/<(?=\/?(?:blockquote|h[1-6])\b)/gi, String.raw`\<`);
}

function filterSpoken(parts: readonly SessionEvent[]): SessionEvent[] {
  return parts.filter(({ event }) => event !== 'session-end');
}

/** Keeps the first two turns, which state the topic, and the newest ones, which contain the results. */
function truncateTranscript(blocks: string[]): string[] {
  const first = blocks.slice(0, 4);
  const last: string[] = [];
  let length = first.join('\n\n').length;
  for (const block of blocks.slice(4).toReversed()) {
    length += block.length + 2;
    if (length > maxTranscriptLength) break;
    last.unshift(block);
  }
  const left = blocks.length - first.length - last.length;
  return left === 0 ? blocks : [...first, `(${left} parts omitted)`, ...last];
}
