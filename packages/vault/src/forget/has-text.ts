import { findFrontmatter } from '../vault/index.ts';

/** Whether a note contains anything besides its frontmatter. */
export function hasText(bytes: Buffer): boolean {
  const text = bytes.toString();
  return text.slice(findFrontmatter(text)?.bodyStart ?? 0).trim() !== '';
}
