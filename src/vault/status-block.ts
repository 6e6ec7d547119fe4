const opening = '<!-- keepsake:status -->';
const closing = '<!-- /keepsake:status -->';
const statusBlock = new RegExp(`${opening}[\\s\\S]*?${closing}`);

/** The lines in the overview that code keeps: between these marks, which are part of it. Null where there are none. */
export function findStatus(text: string): string | null {
  return statusBlock.exec(text)?.[0] ?? null;
}

/** The text with another status in the place of the one it has; a text that has none stays as it is. */
export function replaceStatus(text: string, status: string): string {
  return text.replace(statusBlock, () => status);
}

export function statusLines(content: string): string[] {
  return [opening, content, closing];
}
