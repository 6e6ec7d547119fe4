import { formatLocalTime } from '../contract/index.ts';
import type { SessionEvent } from '../hook/index.ts';

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

/** Formats a session as Markdown: prompts as quotes, answers as they are. */
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
