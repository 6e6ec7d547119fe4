import { estimateTokens } from './estimate-tokens.ts';

/** A part of the brief: its text with as many lines or sentences as fit; null if there is nothing to say, or no room. */
export type Part = {
  /** Tokens that the parts after it leave to it. */
  tokens: number;
  /** Tokens it can have if the other parts need fewer. */
  maxTokens: number;
  quote: (tokens: number) => string | null;
};

/** Gives each part its tokens, in order, and then what is left. */
export function fillParts(parts: readonly Part[], tokens: number): string[] {
  let left = tokens;
  const needOf = (text: string | null): number => (text === null ? 0 : estimateTokens(`${text}\n`));
  const quoted = parts.map(({ tokens: own, quote }) => {
    const text = quote(Math.min(own, left - 1));
    const fits = needOf(text) <= left;
    if (fits) left -= needOf(text);
    return fits ? text : null;
  });
  return parts
    .map(({ maxTokens, quote }, index) => {
      const text = quoted[index] ?? null;
      const longer = quote(Math.min(maxTokens, needOf(text) + left - 1));
      if (needOf(longer) - needOf(text) > left) return text;
      left -= needOf(longer) - needOf(text);
      return longer;
    })
    .filter((text) => text !== null);
}

/** A part that is said whole or not at all. */
export function fixedPart(text: string | null): Part {
  const quote = (tokens: number): string | null =>
    text === null || estimateTokens(text) > tokens ? null : text;
  return { tokens: Infinity, maxTokens: Infinity, quote };
}
