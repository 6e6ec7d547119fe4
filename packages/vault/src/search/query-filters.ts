import { decodeText, extractYaml, hasTag, listFrontmatterValues, toRelativePath } from '../vault/index.ts';
import type { NoteMarks, VaultPath, VaultView } from '../vault/index.ts';
import type { ChunkIndex } from './chunk-index.ts';
import { maxQueryCharacters, parseQuery } from './query.ts';
import type { PathPredicate } from './scopes.ts';
import { normalizeText, tokenize } from './tokenizer.ts';

/** A part of a query that restricts it to some notes: `tag:work`, `#work`, `path:meetings`, `[status: open]`. */
type QueryFilter = {
  kind: 'tag' | 'path' | 'property';
  /** The name of the property. */
  key: string;
  value: string;
  /** Whether the notes are left out, as with `-tag:work`. */
  isExcluded: boolean;
  asTyped: string;
  /** Where it begins in the query. */
  start: number;
};

/** A query without its filters, and the notes that they leave. */
export type FilteredQuery = {
  /** The query as the caller wrote it. */
  typed: string;
  /** What is left of the query; if nothing is, the words of its filters. */
  text: string;
  /** Null if all notes are searched. */
  isIncluded: PathPredicate | null;
  /** Filters that no note fits; the query contains their words instead. */
  unmet: string[];
};

const tagCharacter = String.raw`[\p{L}\p{N}\p{Extended_Pictographic}_/-]`;
const filterPattern = new RegExp(
  [
    String.raw`(?<=^|\s)(?<minus>-?)(?:`,
    String.raw`(?:tag:#?|#)(?<tag>(?!\d+(?!${tagCharacter}))${tagCharacter}+)`,
    String.raw`|path:(?:"(?<quoted>[^"]+)"|(?<path>[^\s"]+))`,
    // A property begins with a letter, unlike a time such as [12:30]; a wikilink has two brackets.
    String.raw`|\[(?<key>\p{L}[^\[\]:"]*):(?<value>[^\[\]]+)\]`,
    String.raw`)(?=$|[\s,;.!?)])|"[^"]*"?`,
  ].join(''),
  'giu',
);

/** Finds the filters in a query. A filter without a letter or digit is none. */
function parseFilters(query: string): QueryFilter[] {
  return [...query.slice(0, maxQueryCharacters).matchAll(filterPattern)].flatMap(
    ({ 0: asTyped, index: start, groups = {} }): QueryFilter[] => {
      const { minus, tag, quoted, path, key, value } = groups;
      const common = { isExcluded: minus === '-', asTyped, start };
      // Within quotes, everything is a phrase.
      if (minus === undefined) return [];
      if (tag !== undefined) return [{ kind: 'tag', key: '', value: tag, ...common }];
      if (key !== undefined) {
        const text = (value ?? '').trim().replace(/^"(.*)"$/, '$1');
        return tokenize(text).length === 0
          ? []
          : [{ kind: 'property', key: key.trim(), value: text, ...common }];
      }
      return [{ kind: 'path', key: '', value: quoted ?? path ?? '', ...common }];
    },
  );
}

/** The words of a query. */
export function removeFilters(query: string): string {
  return parseFilters(query)
    .toReversed()
    .reduce((text, { start, asTyped }) => text.slice(0, start) + text.slice(start + asTyped.length), query);
}

type Dependencies = {
  index: Pick<ChunkIndex, 'findMatches'>;
  view: Pick<VaultView, 'findMarks' | 'read'>;
  /** The files that the caller may see. */
  files: () => Iterable<VaultPath>;
  /** Whether the caller may see a file. */
  isVisible: PathPredicate;
};

/** Creates a function that finds the notes that fit the filters of a query, without regard to case and accents. */
export function createFilterReader({
  index,
  view,
  files,
  isVisible,
}: Dependencies): (query: string) => Promise<FilteredQuery> {
  let marks: Promise<NoteMarks[]> | null = null;
  const find = async ({ kind, key, value }: QueryFilter): Promise<Set<VaultPath>> => {
    switch (kind) {
      case 'tag':
        marks ??= view.findMarks();
        return new Set(
          (await marks).flatMap((note) => (hasTag(note, value) && isVisible(note.path) ? [note.path] : [])),
        );
      case 'path': {
        const wanted = normalizeText(value.replace(/^\/|^vault\//, ''));
        return new Set([...files()].filter((path) => normalizeText(toRelativePath(path)).includes(wanted)));
      }
      case 'property':
        return findWithProperty({ key, value }, { index, view, isVisible });
    }
  };
  return async (query) => {
    const unmet: string[] = [];
    const tests: PathPredicate[] = [];
    const ownWords: string[] = [];
    let [text, end] = ['', 0];
    for (const filter of parseFilters(query)) {
      const { kind, value, isExcluded, asTyped, start } = filter;
      const found = await find(filter);
      if (isExcluded) tests.push((path) => !found.has(path));
      else if (found.size > 0) {
        tests.push((path) => found.has(path));
        if (kind !== 'path') ownWords.push(value);
      } else unmet.push(asTyped);
      const words = isExcluded || found.size > 0 ? ' ' : asTyped.replace(/^(?:tag|path):/i, '');
      text += query.slice(end, start) + words;
      end = start + asTyped.length;
    }
    text += query.slice(end);
    return {
      typed: query,
      text: parseQuery(text).terms.length > 0 ? text.trim() : ownWords.join(' '),
      isIncluded: tests.length === 0 ? null : (path) => tests.every((test) => test(path)),
      unmet,
    };
  };
}

/** Finds the notes of which a property contains the words of the value, next to each other. */
async function findWithProperty(
  { key, value }: { key: string; value: string },
  { index, view, isVisible }: Pick<Dependencies, 'index' | 'view' | 'isVisible'>,
): Promise<Set<VaultPath>> {
  const found = new Set<VaultPath>();
  const wanted = ` ${tokenize(value).join(' ')} `;
  const query = parseQuery(`"${tokenize(key).join(' ')}" "${tokenize(value).join(' ')}"`);
  for (const { path } of await index.findMatches(query, { isInScope: isVisible, from: null, to: null })) {
    const read = await view.read(path);
    const decoded = read.kind === 'file' ? decodeText(read.bytes) : null;
    if (decoded?.kind !== 'text') continue;
    const hasValue = listFrontmatterValues(extractYaml(decoded.text)).some(
      (each) =>
        normalizeText(each.key) === normalizeText(key) &&
        ` ${tokenize(each.value).join(' ')} `.includes(wanted),
    );
    if (hasValue) found.add(path);
  }
  return found;
}
