import {
  findFrontmatter,
  findStatus,
  replaceStatus,
  wrapStatus,
  trimEndCharacters,
} from '../../vault/index.ts';

/**
 * Writes the current date and the number of inbox items into the overview: between the markers or, without markers,
 * below the title.
 */
export function setStatus(text: string, day: string, inboxItems: number): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const block = wrapStatus(`${day} · inbox: ${inboxItems}`).join(end);
  if (findStatus(text) !== null) return replaceStatus(text, block);
  const start = findFrontmatter(text)?.bodyStart ?? 0;
  const [head, body] = [text.slice(0, start), text.slice(start)];
  const title = /^# [^\n]*\n/m.exec(body);
  const at = title === null ? body.length : title.index + title[0].length;
  const after = body.slice(at).replace(/^[\r\n]*/, '');
  return `${head}${trimEndCharacters(body.slice(0, at), '\r\n')}${end}${end}${block}${end}${after === '' ? '' : end + after}`;
}
