import { findFrontmatter, frontmatterValue, yamlOf } from './frontmatter.ts';

/** The file that a markdown was made from, as its frontmatter says: a path from where the markdown lies. */
export function originalOf(text: string): string | null {
  return frontmatterValue(yamlOf(text), 'original');
}

/** A text that has an original, with this one. */
export function withOriginal(text: string, original: string): string {
  const bodyStart = findFrontmatter(text)?.bodyStart ?? 0;
  const line = `original: ${JSON.stringify(original)}`;
  return text.slice(0, bodyStart).replace(/^original:.*$/m, () => line) + text.slice(bodyStart);
}
