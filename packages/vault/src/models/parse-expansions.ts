import type { Expansion } from './ports.ts';

export const mostExpansions = 6;
const longestText = 1000;

/** The typed lines in a model's answer, whatever it wrote around them. */
export function parseExpansions(answer: string): Expansion[] {
  const found = new Map<string, Expansion>();
  for (const line of withoutThoughts(answer).split(/\r?\n/)) {
    const expansion = parseLine(line);
    if (expansion !== null && found.size < mostExpansions)
      found.set(`${expansion.type} ${expansion.text.toLowerCase()}`, expansion);
  }
  return [...found.values()];
}

/** Models that think aloud do it in such a block, and not all servers take it out. */
function withoutThoughts(answer: string): string {
  return answer.replace(/^[\s\S]*<\/think(?:ing)?>/i, '');
}

// A bullet or a number before the type, and emphasis around it, are a matter of taste.
const typed = /^\s*(?:[-*•]\s+|\d+[.)]\s*)?[*_`"'[]*(lex|vec|hyde)[*_`"'\]]*\s*[:：][*_`]*\s*(.+)$/i;

function parseLine(line: string): Expansion | null {
  const [, type = '', rest = ''] = typed.exec(line) ?? [];
  const text = unquote(rest.trim()).slice(0, longestText);
  return text === '' ? null : { type: type.toLowerCase() as Expansion['type'], text };
}

/** Quotes around all of it are the model's; quotes inside mark a phrase. */
function unquote(text: string): string {
  const [, inner] =
    /^(?:"([^"]*)"|`([^`]*)`|“([^”]*)”)$/.exec(text)?.filter((part) => part !== undefined) ?? [];
  return (inner ?? text).trim();
}
