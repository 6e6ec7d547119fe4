const wideCharacters = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** Clients keep only the start of a longer text, and some of them count bytes. */
const maxBytesPerToken = 7.5;

/** A token is estimated as four characters, and as one where the script has a character for a word or syllable. */
export function estimateTokens(text: string): number {
  const bytes = Buffer.byteLength(text);
  const wide = bytes === text.length ? 0 : (text.match(wideCharacters)?.length ?? 0);
  return Math.ceil(Math.max((text.length - wide) / 4 + wide, bytes / maxBytesPerToken));
}

/** Whole parts, in order, as far as they fit. */
export function fitWithin(parts: readonly string[], tokens: number): string {
  let text = '';
  for (const part of parts) if (estimateTokens(`${text}${part}\n`) <= tokens) text += `${part}\n`;
  return text;
}
