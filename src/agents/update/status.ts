import { findFrontmatter } from '../../vault/index.ts';

const opening = '<!-- keepsake:status -->';
const closing = '<!-- /keepsake:status -->';
const status = new RegExp(`${opening}[\\s\\S]*?${closing}`);

/** The overview with the present day and the number of inbox items between the marks; without marks, under the title. */
export function withStatus(text: string, day: string, inboxItems: number): string {
  const block = `${opening}\n${day} · inbox: ${inboxItems}\n${closing}`;
  if (status.test(text)) return text.replace(status, () => block);
  const start = findFrontmatter(text)?.bodyStart ?? 0;
  const [head, body] = [text.slice(0, start), text.slice(start)];
  const title = /^# .*\n/m.exec(body);
  const at = title === null ? body.length : title.index + title[0].length;
  const before = body.slice(0, at).replace(/\n*$/, '\n\n');
  const after = body.slice(at).replace(/^\n*/, '');
  return `${head}${before}${block}\n${after === '' ? '' : `\n${after}`}`;
}

/** What a person or an agent wrote in a file: without the stamps and without the status. */
export function ownWords(text: string): string {
  const start = findFrontmatter(text)?.bodyStart ?? 0;
  const head = text.slice(0, start).replaceAll(/^(?:created|updated|tokens):.*\n|^---\s*\n/gm, '');
  const body = text
    .slice(start)
    .replace(status, '')
    .replaceAll(/\n{2,}/g, '\n');
  return `${head}\n${body}`.trim();
}
