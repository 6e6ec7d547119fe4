import { createTermFinder, extractAnswer } from './extract-answer.ts';
import type { Evidence, InitialNotes, MemorySystem, SystemInput } from './memory-system.ts';
import { createParagraphIndex } from './paragraph-index.ts';

export const folderSystemNames = ['nothing', 'append-log', 'grep', 'full-context', 'fts5'] as const;
export type FolderSystemName = (typeof folderSystemNames)[number];

type Files = Map<string, string>;
type Behaviour = {
  file(files: Files, input: SystemInput): void;
  find(files: Files, queries: readonly string[]): Evidence[];
  forget?(files: Files, words: string): void;
};

const log = 'log.md';
/** What a grep shows: this many matches, with the lines around each. */
const maxMatches = 10;
const linesAround = 2;

/** What people do with a folder of notes and no memory system. They need neither a model nor a program. */
const behaviours: Record<FolderSystemName, () => Behaviour> = {
  nothing: () => ({ file: () => undefined, find: () => [] }),
  'append-log': () => ({
    file: (files, input) => files.set(log, `${files.get(log) ?? ''}${formatInput(input)}`),
    // The end of the log, as it would be put into a prompt.
    find: (files) => [{ path: log, text: lastLines(files.get(log) ?? '', 80) }],
  }),
  grep: () => ({ file: addNote, find: createGrep(), forget: removeLines }),
  'full-context': () => ({
    file: addNote,
    find: (files) => [...files].map(([path, text]) => ({ path, start: 1, text })),
    forget: removeLines,
  }),
  fts5: () => ({ file: addNote, find: createParagraphIndex(), forget: removeLines }),
};

export function createFolderSystem(name: FolderSystemName): MemorySystem {
  const behaviour = behaviours[name]();
  const findTerms = createTermFinder();
  let files: Files = new Map();
  let { language } = { language: 'en' } as Pick<InitialNotes, 'language'>;
  const search = (queries: readonly string[]): Promise<Evidence[]> =>
    Promise.resolve(behaviour.find(files, queries));
  return {
    name,
    version: '1',
    model: null,
    offers: new Set([
      'reset',
      'file',
      'ask',
      'search',
      'dump',
      ...(behaviour.forget === undefined ? [] : (['forget'] as const)),
    ]),
    keepsFiles: true,
    reset(notes) {
      files = new Map(notes.files);
      ({ language } = notes);
      return Promise.resolve();
    },
    file(input) {
      behaviour.file(files, input);
      return Promise.resolve({ outcome: name === 'nothing' ? 'failed' : 'filed', receipt: '' });
    },
    ask: async (question) => extractAnswer(question, language, await search([question]), findTerms),
    search,
    forget(words) {
      behaviour.forget?.(files, words);
      return Promise.resolve();
    },
    dump: () => Promise.resolve(files),
    close: () => Promise.resolve(),
  };
}

function formatInput({ at, text, files }: SystemInput): string {
  const parts = [text, ...files.map((file) => file.text ?? file.name)];
  return `## ${at}\n\n${parts.join('\n\n')}\n\n`;
}

function addNote(files: Files, input: SystemInput): void {
  const day = input.at.slice(0, 10);
  for (let number = 1; ; number += 1) {
    const path = `notes/${day}-${number}.md`;
    if (files.has(path)) continue;
    files.set(path, formatInput(input));
    return;
  }
}

/** Shows the lines that have most of the words, with the lines around them. */
function createGrep(): Behaviour['find'] {
  const findTerms = createTermFinder();
  return (files, queries) => {
    const asked = findTerms(queries.join('\n'));
    const matches = [...files].flatMap(([path, text]) =>
      text.split('\n').map((line, index) => {
        const terms = findTerms(line);
        return { path, index, count: [...asked].filter((term) => terms.has(term)).length };
      }),
    );
    return matches
      .filter(({ count }) => count > 0)
      .toSorted((a, b) => b.count - a.count)
      .slice(0, maxMatches)
      .map(({ path, index }) => {
        const first = Math.max(0, index - linesAround);
        const lines = (files.get(path) ?? '').split('\n').slice(first, index + linesAround + 1);
        return { path, start: first + 1, text: lines.join('\n') };
      });
  };
}

function removeLines(files: Files, words: string): void {
  const wanted = words.toLowerCase();
  for (const [path, text] of files)
    files.set(
      path,
      text
        .split('\n')
        .filter((line) => !line.toLowerCase().includes(wanted))
        .join('\n'),
    );
}

function lastLines(text: string, count: number): string {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
