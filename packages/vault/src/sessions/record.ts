import { localTime } from '../contract/index.ts';
import type { Part } from '../hook/index.ts';

const titles: Record<Part['client'], string> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  cursor: 'Cursor',
  opencode: 'OpenCode',
};

/** About 6,000 tokens. */
export const longest = 24_000;

export function titleOf(client: Part['client']): string {
  return titles[client];
}

/** How much was said; what only began and ended says nothing. */
export function lengthOf(parts: readonly Part[]): number {
  return spoken(parts).reduce((sum, { text }) => sum + text.length, 0);
}

/** The words of a session, as they were said: those of the person quoted, an answer as it is. */
export function recordOf(parts: readonly Part[]): string {
  const blocks = spoken(parts).map(({ event, at, client, text }) => {
    const time = localTime(at).slice(11, 16);
    if (event === 'prompt') return `## ${time}\n\n${text.replaceAll(/^/gm, '> ')}`;
    // Its headings are not those of the record.
    const plain = text.replaceAll(/^(#{1,6}) /gm, String.raw`\$1 `);
    return event === 'post-compact' ? `## ${time}, summary by ${titleOf(client)}\n\n${plain}` : plain;
  });
  return withinLimit(blocks).join('\n\n');
}

function spoken(parts: readonly Part[]): Part[] {
  return parts.filter(({ event }) => event !== 'session-end');
}

/** The first two turns say what it was about, the newest what came of it. */
function withinLimit(blocks: string[]): string[] {
  const first = blocks.slice(0, 4);
  const last: string[] = [];
  let length = first.join('\n\n').length;
  for (const block of blocks.slice(4).toReversed()) {
    length += block.length + 2;
    if (length > longest) break;
    last.unshift(block);
  }
  const left = blocks.length - first.length - last.length;
  return left === 0 ? blocks : [...first, `(${left} parts are left out)`, ...last];
}
