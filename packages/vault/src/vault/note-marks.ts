import { extractBody, extractYaml, getFrontmatterList, getFrontmatterValue } from './frontmatter.ts';
import { splitLines } from './lines.ts';
import { createOutlineParser } from './outline.ts';
import type { VaultPath } from './path.ts';

/** The tags of a note, as written and each once, and whether its property `pinned` is true. */
export type NoteMarks = { path: VaultPath; tags: string[]; isPinned: boolean };

const maxTags = 200;
const tagCharacters = String.raw`[\p{L}\p{N}\p{Extended_Pictographic}_/-]`;
const inlineTag = new RegExp(String.raw`(?<=^|[\s(,;])#(${tagCharacters}{1,100})`, 'gu');
const wholeTag = new RegExp(`^${tagCharacters}{1,100}$`, 'u');

/** Parses the marks of a note in the form of the catalogue: a line that says whether it is pinned, then a tag per line; empty without marks. */
export function parseNoteMarks(text: string): string {
  const yaml = extractYaml(text);
  const isPinned = getFrontmatterValue(yaml, 'pinned') === 'true' || /^pinned:[ \t]*true[ \t]*$/m.test(yaml);
  const tags = new Map<string, string>();
  const add = (tag: string): void => {
    const name = tag.replace(/^#/, '').replace(/\/+$/, '');
    // A number is a reference such as #12, not a tag.
    if (!wholeTag.test(name) || /^\d+$/.test(name) || tags.size >= maxTags) return;
    if (!tags.has(tagKey(name))) tags.set(tagKey(name), name);
  };
  for (const key of ['tags', 'tag'])
    for (const value of getFrontmatterList(yaml, key)) for (const tag of value.split(/[\s,]+/)) add(tag);
  for (const tag of findInlineTags(extractBody(text))) add(tag);
  return tags.size === 0 && !isPinned ? '' : [isPinned ? 'pinned' : '', ...tags.values()].join('\n');
}

export function readNoteMarks(path: VaultPath, marks: string): NoteMarks {
  const [pinned, ...tags] = marks.split('\n');
  return { path, tags, isPinned: pinned === 'pinned' };
}

/** Tags are equal without regard to case. */
export function tagKey(tag: string): string {
  return tag.normalize('NFC').toLowerCase();
}

function findInlineTags(body: string): string[] {
  if (body.search(inlineTag) === -1) return [];
  const outline = createOutlineParser();
  return splitLines(body).flatMap((line) => {
    if (outline(line).isVerbatim || !line.includes('#')) return [];
    const plain = line.replaceAll(/(`+)(?:(?!\1).)*\1|\]\([^)]*\)|<[^>]*>/g, ' ');
    return [...plain.matchAll(inlineTag)].map(([, tag = '']) => tag);
  });
}
