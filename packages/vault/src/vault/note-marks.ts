import { parseLocalTime } from '../contract/index.ts';
import type { LocalTime } from '../contract/index.ts';
import { extractBody, extractYaml, getFrontmatterList, getFrontmatterValue } from './frontmatter.ts';
import { splitLines } from './lines.ts';
import { createOutlineParser } from './outline.ts';
import type { VaultPath } from './path.ts';

/** What a note says about itself in its properties and tags. */
export type NoteMarks = {
  path: VaultPath;
  /** As written, each once. */
  tags: string[];
  /** Whether the property `pinned` is true. */
  isPinned: boolean;
  /** Its date by a property other than `updated`; null if it has `updated` or no date. */
  date: LocalTime | null;
};

/** The properties of other programs for the time of a note, the latest first. */
const dateKeys = ['modified', 'date modified', 'last modified', 'date', 'created', 'date created'];

const maxTags = 200;
const tagCharacters = String.raw`[\p{L}\p{N}\p{Extended_Pictographic}_/-]`;
const inlineTag = new RegExp(String.raw`(?<=^|[\s(,;])#(${tagCharacters}{1,100})`, 'gu');
const wholeTag = new RegExp(`^${tagCharacters}{1,100}$`, 'u');

/** Parses the marks of a note in the form of the catalogue: `pinned` or nothing, the date, and the tags, a line each; empty without marks. */
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
  const date = findDate(yaml) ?? '';
  return tags.size === 0 && !isPinned && date === ''
    ? ''
    : [isPinned ? 'pinned' : '', date, ...tags.values()].join('\n');
}

export function readNoteMarks(path: VaultPath, marks: string): NoteMarks {
  const [pinned, date = '', ...tags] = marks.split('\n');
  return { path, tags, isPinned: pinned === 'pinned', date: date === '' ? null : (date as LocalTime) };
}

function findDate(yaml: string): LocalTime | null {
  if (yaml === '' || getFrontmatterValue(yaml, 'updated') !== null) return null;
  for (const key of dateKeys) {
    const date = parseLocalTime(getFrontmatterValue(yaml, key) ?? '');
    if (date !== null) return date;
  }
  return null;
}

/** Tags are equal without regard to case and accents. */
export function tagKey(tag: string): string {
  const plain = tag.normalize('NFD').replaceAll(/(?<=\p{Script=Latin}\p{M}*)\p{M}/gu, '');
  return plain.normalize('NFC').toLowerCase();
}

/** Whether a note has a tag or one below it, as `work/meeting` is below `work`. */
export function hasTag({ tags }: Pick<NoteMarks, 'tags'>, tag: string): boolean {
  const wanted = tagKey(tag.replace(/^#/, '').replace(/\/+$/, ''));
  return tags.some((each) => tagKey(each) === wanted || tagKey(each).startsWith(`${wanted}/`));
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
