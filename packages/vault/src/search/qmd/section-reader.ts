import type { Database } from 'better-sqlite3';
import type { IndexedSection } from '../section-index.ts';
import type { Heading, Section } from '../sections.ts';
import { UnusableIndex } from './unusable-index.ts';

/** The sections with these ids, those of them that are there. */
export type ReadSections = (ids: readonly number[]) => IndexedSection[];

type Row = Omit<IndexedSection, 'lines' | 'headings' | 'kind'> & {
  first: number;
  last: number;
  headings: string;
  kind: string;
};

export function createSectionReader(database: Database): ReadSections {
  const select = database.prepare(
    `select s.id, f.path, f.revision, s.first_line as first, s.last_line as last, s.headings, s.kind, s.day,
       d.title as trail, c.doc as body
     from json_each(?) wanted join keepsake_sections s on s.id = wanted.value
       join keepsake_files f on f.id = s.file join documents d on d.id = s.id join content c on c.hash = d.hash`,
  );
  return (ids) => (select.all(JSON.stringify(ids)) as Row[]).map(sectionFrom);
}

function sectionFrom({ first, last, headings, kind, ...rest }: Row): IndexedSection {
  // A damaged page may be read without an error.
  if (typeof rest.body !== 'string' || typeof rest.trail !== 'string') throw new UnusableIndex('no text');
  const lines = { start: first, end: last };
  return { ...rest, lines, headings: parse(headings) as Heading[], kind: parse(kind) as Section['kind'] };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnusableIndex('what is no JSON');
  }
}
