import { findFrontmatter, getFrontmatterValue, extractYaml } from './frontmatter.ts';

/** The `original` field: the path of the file that the note was converted from, relative to the note. */
export function readOriginal(text: string): string | null {
  return getFrontmatterValue(extractYaml(text), 'original');
}

/** Replaces the `original` field of a text that has one. */
export function setOriginal(text: string, original: string): string {
  const bodyStart = findFrontmatter(text)?.bodyStart ?? 0;
  const line = `original: ${JSON.stringify(original)}`;
  return text.slice(0, bodyStart).replace(/^original:.*$/m, () => line) + text.slice(bodyStart);
}
