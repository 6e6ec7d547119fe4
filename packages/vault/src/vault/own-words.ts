import { findFrontmatter, withoutStamps } from './frontmatter.ts';
import { replaceStatus } from './status-block.ts';

/** What a person or an agent wrote in a file: without the stamps, and for the overview without the status. */
export function ownWords(text: string, isOverview: boolean): string {
  const found = findFrontmatter(text);
  const fields = found === null ? '' : withoutStamps(text.slice(found.yamlStart, found.yamlEnd)).trim();
  const body = text.slice(found?.bodyStart ?? 0);
  const words = isOverview ? replaceStatus(body, '') : body;
  return `${fields}\n---\n${words.trim()}`.replaceAll(/(?:\r?\n)+/g, '\n');
}
