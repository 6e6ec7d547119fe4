import type { Expansion } from './search-models.ts';
import { stripThinking } from './strip-thinking.ts';

export const maxExpansions = 6;
const maxExpansionCharacters = 1000;

/** Parses the lines of a model's answer that start with `lex:`, `vec:` or `hyde:`, and ignores the text around them. */
export function parseExpansions(answer: string): Expansion[] {
  const found = new Map<string, Expansion>();
  for (const line of stripThinking(answer).split(/\r?\n/)) {
    const expansion = parseLine(line);
    if (expansion !== null && found.size < maxExpansions)
      found.set(`${expansion.type} ${expansion.text.toLowerCase()}`, expansion);
  }
  return [...found.values()];
}

// Allows a bullet or number before the type and emphasis around it.
const typed = /^\s*(?:[-*•]\s+|\d+[.)]\s*)?[*_`"'[]*(lex|vec|hyde)[*_`"'\]]*\s*[:：][*_`]*\s*(.+)$/i;

function parseLine(line: string): Expansion | null {
  const [, type = '', rest = ''] = typed.exec(line) ?? [];
  const text = stripQuotes(rest.trim()).slice(0, maxExpansionCharacters);
  return text === '' ? null : { type: type.toLowerCase() as Expansion['type'], text };
}

/** Quotes around the whole text are decoration; quotes inside mark a phrase. */
function stripQuotes(text: string): string {
  const [, inner] =
    /^(?:"([^"]*)"|`([^`]*)`|“([^”]*)”)$/.exec(text)?.filter((part) => part !== undefined) ?? [];
  return (inner ?? text).trim();
}
