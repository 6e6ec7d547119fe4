import { findFrontmatter, stripStamps } from './frontmatter.ts';
import { replaceStatus } from './status-block.ts';

/** The text that a user or an agent wrote: without stamps and, for the overview, without the status block. */
export function extractUserText(text: string, isOverview: boolean): string {
  const found = findFrontmatter(text);
  const fields = found === null ? '' : stripStamps(text.slice(found.yamlStart, found.yamlEnd)).trim();
  const body = text.slice(found?.bodyStart ?? 0);
  const words = isOverview ? replaceStatus(body, '') : body;
  return `${fields}\n---\n${words.trim()}`.replaceAll(/(?:\r?\n)+/g, '\n');
}
