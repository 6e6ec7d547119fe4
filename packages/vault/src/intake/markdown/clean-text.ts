const ligatures = new Map(
  Object.entries({ ﬀ: 'ff', ﬁ: 'fi', ﬂ: 'fl', ﬃ: 'ffi', ﬄ: 'ffl', ﬅ: 'st', ﬆ: 'st' }),
);

/** Removes invisible characters and replaces typographic ones: soft hyphens, ligatures, symbols of private fonts. */
export function cleanText(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u2028\u2029\v\f]/g, '\n')
    .replaceAll(/[\u00AD\u200B\u2060\uFEFF\uFFFC\uE000-\uF8FF]|(?![\t\n])\p{Cc}/gu, '')
    .replaceAll(/[\uFB00-\uFB06]/g, (ligature) => ligatures.get(ligature) ?? ligature);
}

export function normalizeSpaces(text: string): string {
  return text.replaceAll(/[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g, ' ');
}

/** Puts a text such as a title, a name or a cell on one line. */
export function toSingleLine(text: string): string {
  return normalizeSpaces(cleanText(text)).replaceAll(/\s+/g, ' ').trim();
}
