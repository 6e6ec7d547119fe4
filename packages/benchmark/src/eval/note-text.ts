const frontmatter = /^\ufeff?---[ \t]*\r?\n((?:.*\n)*?)---[ \t]*(?:\r?\n|$)/;
const statusBlock = /\n*<!-- keepsake:status -->[\s\S]*?<!-- \/keepsake:status -->\n*/;

/** What a note says, each line under the number it has in the file: what stands in the frontmatter is not said. */
export function bodyOf(text: string): string {
  return text.replace(frontmatter, (found) => found.replaceAll(/[^\n]/g, ''));
}

/** What code maintains is not a change of the agent's: stamps, and the status in the overview. */
export function comparable(path: string, text: string): string {
  const found = frontmatter.exec(text);
  const body = text.slice(found?.[0].length ?? 0);
  const fields = (found?.[1] ?? '').replaceAll(/^(?:created|updated|tokens):.*\n/gm, '');
  const rest = path === 'overview.md' ? body.replace(statusBlock, '\n\n') : body;
  return fields === '' ? rest : `---\n${fields}---\n${rest}`;
}
