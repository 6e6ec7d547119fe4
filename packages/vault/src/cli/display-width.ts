const wideRanges = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6\p{Emoji_Presentation}`;
const wide = new RegExp(`[${wideRanges}]`, 'u');
const invisible = /[\p{M}\p{Cf}]/u;
/** Makes the character before it an emoji. */
const emojiSelector = '\ufe0f';

/** Matches a character of two columns, before and after which a line may break, with the marks on it. */
export const wideCharacter = String.raw`[${wideRanges}][\p{M}\p{Cf}]*`;

/** The number of columns that a text takes in a terminal, or more if terminals differ. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text)
    if (character === emojiSelector || !invisible.test(character)) width += wide.test(character) ? 2 : 1;
  return width;
}
