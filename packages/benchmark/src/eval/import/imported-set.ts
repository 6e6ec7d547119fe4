import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A question with the keys of the entries that answer it. */
export type ImportedQuestion = {
  id: string;
  lang: string;
  query: string;
  kind?: string | undefined;
  scopes?: string[] | undefined;
  relevant: readonly string[];
  /** Entries that an answer must not show, because they are outdated. */
  forbidden?: readonly string[] | undefined;
};

/** An entry is a message, a note or a paragraph; its key identifies it within the set. */
export type ImportedNote = {
  path: string;
  frontmatter: readonly string[];
  entries: readonly { key: string; heading: string; text: string }[];
};

export type ImportedSet = { notes: readonly ImportedNote[]; questions: readonly ImportedQuestion[] };

type Place = { path: string; lines: [number, number] };

/** Writes `vault/` and `queries.jsonl` for `keepsake-benchmark retrieval --data`. Questions without evidence are left out. */
export function writeImportedSet(
  folder: string,
  { notes, questions }: ImportedSet,
): { notes: number; questions: number; withoutEvidence: number } {
  const places = new Map<string, Place>();
  for (const note of notes) {
    const { text, found } = formatNote(note);
    for (const [key, lines] of found) places.set(key, { path: note.path, lines });
    const file = join(folder, 'vault', note.path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const placesOf = (keys: readonly string[]): Place[] => keys.flatMap((key) => places.get(key) ?? []);
  const lines = questions.flatMap(({ relevant, forbidden = [], ...question }) => {
    const [found, wrong] = [placesOf(relevant), placesOf(forbidden)];
    if (found.length === 0) return [];
    return [JSON.stringify({ ...question, relevant: found, ...(wrong.length > 0 && { forbidden: wrong }) })];
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'queries.jsonl'), `${lines.join('\n')}\n`);
  return {
    notes: notes.length,
    questions: lines.length,
    withoutEvidence: questions.length - lines.length,
  };
}

function formatNote({ frontmatter, entries }: ImportedNote): {
  text: string;
  found: [string, [number, number]][];
} {
  const lines = ['---', ...frontmatter, '---', ''];
  const found = entries.map(({ key, heading, text }): [string, [number, number]] => {
    if (heading !== '') lines.push(`## ${heading}`);
    const first = lines.length + 1;
    // A heading within an entry would divide it.
    lines.push(...text.split('\n').map((line) => (line.startsWith('#') ? `\\${line}` : line)));
    const last = lines.length;
    lines.push('');
    return [key, [first, last]];
  });
  return { text: `${lines.join('\n')}\n`, found };
}
