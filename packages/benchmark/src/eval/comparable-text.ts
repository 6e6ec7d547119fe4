const frontmatter = /^\ufeff?---[ \t]*\r?\n((?:.*\n)*?)---[ \t]*(?:\r?\n|$)/;
const statusBlock = /\n*<!-- keepsake:status -->[\s\S]*?<!-- \/keepsake:status -->\n*/;

/** Blanks the frontmatter of a note instead of removing it, so that all lines keep their numbers. */
export function maskFrontmatter(text: string): string {
  return text.replace(frontmatter, (found) => found.replaceAll(/[^\n]/g, ''));
}

/** Removes text that code maintains and that does not count as a change by the agent: stamps, and the status in the overview. */
export function stripMaintainedText(path: string, text: string): string {
  const found = frontmatter.exec(text);
  const body = text.slice(found?.[0].length ?? 0);
  const fields = (found?.[1] ?? '').replaceAll(/^(?:created|updated|tokens):.*\n/gm, '');
  const rest = path === 'overview.md' ? body.replace(statusBlock, '\n\n') : body;
  return fields === '' ? rest : `---\n${fields}---\n${rest}`;
}
