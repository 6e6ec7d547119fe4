import { findFrontmatter, findStatus, replaceStatus, statusLines } from '../../vault/index.ts';

/** The overview with the present day and the number of inbox items between the marks; without marks, under the title. */
export function withStatus(text: string, day: string, inboxItems: number): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const block = statusLines(`${day} · inbox: ${inboxItems}`).join(end);
  if (findStatus(text) !== null) return replaceStatus(text, block);
  const start = findFrontmatter(text)?.bodyStart ?? 0;
  const [head, body] = [text.slice(0, start), text.slice(start)];
  const title = /^# [^\n]*\n/m.exec(body);
  const at = title === null ? body.length : title.index + title[0].length;
  const before = body.slice(0, at).replace(/[\r\n]*$/, end + end);
  const after = body.slice(at).replace(/^[\r\n]*/, '');
  return `${head}${before}${block}${end}${after === '' ? '' : end + after}`;
}

/** What a person or an agent wrote in a file: without the stamps, and for the overview without the status. */
export function ownWords(text: string, isOverview: boolean): string {
  const start = findFrontmatter(text)?.bodyStart ?? 0;
  const head = text.slice(0, start).replaceAll(/^(?:created|updated|tokens):.*\r?\n|^---\s*\n/gm, '');
  const body = isOverview ? replaceStatus(text.slice(start), '') : text.slice(start);
  return `${head}\n${body}`.replaceAll(/(?:\r?\n)+/g, '\n').trim();
}
