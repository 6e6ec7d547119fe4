import { findRemoteResources } from '../../vault/index.ts';

/**
 * Makes markdown from others load nothing in an editor: remote images, tags, scripts and queries become text. Text without
 * any of them stays unchanged, and so do images beside the note.
 */
export function disarmMarkdown(markdown: string): string {
  if (!loadsRemote(markdown)) return markdown;
  const disarmed = disarmSyntax(markdown);
  // For syntax across several lines, such as a label and its definition.
  return loadsRemote(disarmed) ? disarmed.replaceAll('![', '!\\[').replaceAll('](', ']\\(') : disarmed;
}

/** Not at the start, where a thematic break would look like frontmatter. */
function loadsRemote(markdown: string): boolean {
  return findRemoteResources(`\n${markdown}`).length > 0;
}

function disarmSyntax(markdown: string): string {
  return markdown
    .replaceAll(fenceLine, (_, start: string, rest: string) => `${start}${disarmInfo(rest)}`)
    .replaceAll(/(?<!`)(`{1,2})(\s{0,10})(?=\$?=)/g, '$1$2\\')
    .replaceAll(/!\[(?:[^[\]\n]*\]\(([^()[\]\s]*)\))?/g, (image, target?: string) =>
      target !== undefined && isBesideNote(target) ? image : `!\\${image.slice(1)}`,
    )
    .replaceAll(/\\?<(?=[a-z][\w-]*(?:[\s/>"'=]|$)|%)/gim, '&lt;')
    .replaceAll(/\burl\(/gi, 'url (')
    .replaceAll('{{', '{ {')
    .replaceAll('@{', '@ {')
    .replaceAll(/\bstyle\s*=/gi, 'style:');
}

const fenceLine = /^([ \t>*+\d.)-]{0,200}?(?:`{3,}(?=[^\n`]*$)|~{3,}))([^\n]*)$/gm;

/** Keeps the language as a word behind `text`, which editors only color. */
function disarmInfo(info: string): string {
  return info.trim() === '' || !loadsRemote(`~~~${info}\n//a.example "\\x68" @import\n~~~`)
    ? info
    : `text ${info.trim()}`;
}

function isBesideNote(target: string): boolean {
  return !/[:\\/&]/.test(target);
}
