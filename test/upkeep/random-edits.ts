import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** A seeded random number generator. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Random edits as made by editors, sync services and people, one at a time. */
export type RandomEdits = {
  step(): string;
  /** A word that was written into some file; it may have been deleted again. */
  someWord(): string;
};

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export function randomEdits(folder: string, random: () => number): RandomEdits {
  let number = 0;
  const words: string[] = [];
  const newWord = (): string => {
    words.push(`word${(number += 1)}`);
    return words.at(-1) ?? '';
  };
  const pick = <Value>(values: readonly Value[]): Value | undefined =>
    values[Math.floor(random() * values.length)];
  const below = (kind: 'file' | 'folder'): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => (kind === 'file' ? entry.isFile() : entry.isDirectory()))
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .filter((path) => !path.split('/').some((name) => name.startsWith('.')) && path !== 'tree.md');
  // Listing all files in every step would dominate the measurement.
  let files = below('file');
  let folders = below('folder');
  const relist = (): void => {
    files = below('file');
    folders = below('folder');
  };
  const newName = (): string => `${pick(['note', 'idée', 'Ünï', 'a b', 'log'])}-${(number += 1)}.md`;
  const newText = (): string => {
    const word = newWord();
    const lines = Array.from({ length: 1 + Math.floor(random() * 12) }, (_, line) =>
      random() < 0.2
        ? `## Heading ${line} ${word}`
        : `Line ${line} says ${word} and x${Math.floor(random() * 500)}.`,
    );
    const head =
      random() < 0.3
        ? ''
        : `---\ntitle: "T ${number}"\ntags: [a,  b] # kept\n${random() < 0.3 ? 'tokens: 3\n' : ''}---\n`;
    return `${head}# Note ${number}\n\n${lines.join('\n')}\n`;
  };
  const anyFile = (): string => {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const file = pick(files);
      if (file !== undefined && existsSync(join(folder, file))) return file;
      relist();
    }
    const file = newName();
    writeFileSync(join(folder, file), newText());
    files.push(file);
    return file;
  };
  const put = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
    files.push(path);
  };
  const place = (): string => {
    const parent = random() < 0.3 ? '' : (pick(folders) ?? '');
    return existsSync(join(folder, parent)) ? parent : '';
  };
  const actions: [number, string, () => void][] = [
    [30, 'create', () => put(join(place(), newName()), newText())],
    [15, 'append', () => appendFileSync(join(folder, anyFile()), `\nMore ${newWord()}.\n`)],
    [10, 'overwrite', () => writeFileSync(join(folder, anyFile()), newText())],
    [
      10,
      'save through another file',
      () => {
        const file = join(folder, anyFile());
        writeFileSync(`${file}~`, newText());
        renameSync(`${file}~`, file);
      },
    ],
    [
      5,
      'change without a trace in size or mtime',
      () => {
        const file = join(folder, anyFile());
        const text = readFileSync(file, 'latin1');
        const at = new Date(1_750_000_000_000);
        utimesSync(file, at, at);
        writeFileSync(file, text.replace(/[aeiou]/, 'y'), 'latin1');
        utimesSync(file, at, at);
      },
    ],
    [10, 'rename', () => renameSync(join(folder, anyFile()), join(folder, place(), newName()))],
    [8, 'delete', () => rmSync(join(folder, anyFile()))],
    [2, 'touch', () => utimesSync(join(folder, anyFile()), new Date(), new Date())],
    [1, 'chmod', () => chmodSync(join(folder, anyFile()), 0o600)],
    [1, 'image', () => put(join(place(), `picture-${(number += 1)}.png`), png)],
    [1, 'other file', () => put(join(place(), `paper-${(number += 1)}.pdf`), `%PDF ${number}`)],
    [
      3,
      'new folder',
      () => {
        const path = join(place(), `folder ${(number += 1)}`);
        mkdirSync(join(folder, path), { recursive: true });
        folders.push(path);
        for (let count = 0; count < random() * 5; count += 1) put(join(path, newName()), newText());
      },
    ],
    [
      1,
      'rename a folder',
      () => {
        const from = place();
        if (from === '' || from.split('/').length < 2) return;
        renameSync(join(folder, from), join(folder, `${from} ${(number += 1)}`));
        relist();
      },
    ],
    [
      1,
      'delete a folder',
      () => {
        const path = place();
        if (path.split('/').length < 2) return;
        rmSync(join(folder, path), { recursive: true });
        relist();
      },
    ],
  ];
  const total = actions.reduce((sum, [weight]) => sum + weight, 0);
  return {
    step() {
      let at = random() * total;
      for (const [weight, name, act] of actions) {
        at -= weight;
        if (at >= 0) continue;
        act();
        return name;
      }
      return 'nothing';
    },
    someWord: () => pick(words) ?? '',
  };
}
