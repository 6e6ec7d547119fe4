import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import type { Keepsake } from '../../packages/vault/src/app/index.ts';
import { createLinkResolver, parseLinks, relativePath } from '../../packages/vault/src/contract/index.ts';
import { randomNumbers } from '../random-numbers.ts';
import { Place } from './scenario.ts';

const notesPerMove = 5;
const linksPerNote = 8;
const stems = [
  'state',
  'State',
  'tasks',
  'specs',
  'my note',
  'café',
  'c# (1)',
  '50%',
  'it’s',
  'a.b',
  'x^2',
  '[z]',
];
const folderNames = ['a', 'A b', 'été', 'p(1)', 'x#y', 'bucket'];

type Pick = <Each>(from: readonly Each[]) => Each;

/** Must never change, because text in code is not a link. */
const code = '`[[state]]`\n\n```\n[[state]] [x](state.md)\n```\n';

const encode = (path: string): string => encodeURI(path).replaceAll(/[()#?]/g, encodeURIComponent);
const inWiki = (path: string): string => (/[#^[\]]/.test(path) ? 'tasks' : path);
const bare = (path: string): string => path.replace(/^.*\//, '').replace(/\.md$/, '');

/** Every form in which one file links to another. */
const forms: ((to: string, from: string) => string)[] = [
  (to) => `[[${inWiki(bare(to))}]]`,
  (to) => `[[${inWiki(bare(to)).toUpperCase()}#part|shown]]`,
  (to) => `![[${inWiki(to)}]]`,
  (to) => `[[${inWiki(to.replace(/\.md$/, ''))}|shown]]`,
  (to) => `[[/${inWiki(to)}]]`,
  (to, from) => `[x](${encode(relativePath(from, to))})`,
  (to, from) => `[x](<${encode(relativePath(from, to))}> "title")`,
  (to, from) => `[x](./${encode(relativePath(from, to).replace(/\.md$/, ''))}#part)`,
  (to) => `![x](/${encode(to)})`,
  (to) => `[x](${encode(to)})`,
  (to, from) => `\n[ref]: ${encode(relativePath(from, to))} 'title'\n`,
  (to, from) => `<img src="${encode(relativePath(from, to))}">`,
];

/**
 * Moves files and folders at random, some of them back again, while the notes link to each other in every form. After
 * each move, every link must lead to the same file as before, and undoing a move must restore every byte.
 */
export async function linksCampaign(count: number): Promise<number> {
  const random = randomNumbers(33);
  const pick: Pick = (from) => from[Math.floor(random() * from.length)] as never;
  const place = new Place();
  mkdirSync(place.vault);
  layOut(place.vault, count * notesPerMove, pick);
  const { vault, state } = place;
  const keepsake = await openKeepsake({ vault, state, environment: readEnvironment() });
  const tally = { links: 0, moved: 0, folders: 0, back: 0, rewritten: 0, undone: 0 };
  let failed = 0;
  try {
    const expected = aimsOf(textsIn(vault));
    tally.links = [...expected.values()].flat().filter((aim) => aim !== null).length;
    const done: [from: string, to: string][] = [];
    for (let tries = 0; tally.moved < count && tries < count * 20; tries += 1) {
      const before = textsIn(vault);
      const [from, to] =
        tries % 5 === 4 && done.length > 0 ? backOf(done, pick) : someMove(before, tries, pick);
      const answer = await move(keepsake, from, to);
      if (!answer.startsWith('moved')) continue;
      tally.moved += 1;
      tally.back += Number(tries % 5 === 4);
      tally.folders += Number(!before.has(from));
      tally.rewritten += Number(/; updated (\d+) links? in/.exec(answer)?.[1] ?? 0);
      const wrong = differences(expected, textsIn(vault));
      failed += wrong.length;
      for (const each of wrong) console.log(`FAILED ${from} to ${to}: ${each}`);
      if (tally.moved % 10 === 0) {
        const [change] = keepsake.changes.list({ limit: 1 });
        const { kind } = await keepsake.changes.undo(change?.id ?? '');
        const isSame = JSON.stringify([...textsIn(vault)]) === JSON.stringify([...before]);
        if (kind !== 'written' || !isSame)
          console.log(`FAILED to undo the move of ${from} to ${to}: ${kind}`);
        failed += Number(kind !== 'written' || !isSame);
        tally.undone += 1;
      } else done.push([from, to]);
    }
  } finally {
    await keepsake.close();
    place.remove();
  }
  console.log(`links: ${JSON.stringify(tally)}`);
  const isEmpty = Object.values(tally).some((each) => each === 0) || tally.moved < count;
  if (isEmpty) console.log('FAILED: an expected outcome never occurred');
  return failed + Number(isEmpty);
}

function layOut(vault: string, count: number, pick: Pick): void {
  const paths = new Set<string>();
  const depths = [0, 1, 1, 2, 3];
  for (let number = 0; paths.size < count; number += 1) {
    const folders = Array.from({ length: pick(depths) }, () => pick(folderNames));
    const stem = pick(stems);
    const path = [...folders, `${stem}.md`].join('/');
    paths.add(paths.has(path) ? [...folders, `${stem} ${number}.md`].join('/') : path);
  }
  const all = [...paths];
  for (const [number, path] of all.entries()) {
    const links = Array.from({ length: linksPerNote }, () => pick(forms)(pick(all), path));
    mkdirSync(dirname(join(vault, path)), { recursive: true });
    writeFileSync(join(vault, path), `Note ${number}.\n\n${links.join(' and ')}\n\n${code}`);
  }
}

/** Every note with its text. */
function textsIn(vault: string): Map<string, string> {
  const entries = readdirSync(vault, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.parentPath.includes('.keepsake'),
  );
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).toSorted();
  return new Map(paths.map((path) => [relative(vault, path), readFileSync(path, 'utf8')]));
}

/** Maps the first line of each note to the first lines of the notes that its links lead to. */
function aimsOf(texts: ReadonlyMap<string, string>): Map<string, (string | null)[]> {
  const targets = createLinkResolver(texts.keys());
  const nameOf = (text: string | undefined): string => text?.split('\n')[0] ?? '';
  return new Map(
    [...texts].map(([path, text]) => [
      nameOf(text),
      parseLinks(text).map((link) => {
        const aim = targets.resolve(link, path);
        return aim === null ? null : nameOf(texts.get(aim));
      }),
    ]),
  );
}

/** Reports links whose target changed. A link that was broken may lead to a file that was moved to its path. */
function differences(
  expected: ReadonlyMap<string, (string | null)[]>,
  texts: ReadonlyMap<string, string>,
): string[] {
  const present = aimsOf(texts);
  const untouched = [...texts].filter(([, text]) => !text.endsWith(code)).map(([path]) => `code in ${path}`);
  const wrong = [...expected].flatMap(([note, aims]) =>
    aims.flatMap((aim, index) =>
      aim === null || present.get(note)?.[index] === aim
        ? []
        : [`link ${index} of ${note} led to ${aim} and leads to ${present.get(note)?.[index]}`],
    ),
  );
  return [...untouched, ...wrong];
}

function someMove(texts: ReadonlyMap<string, string>, tries: number, pick: Pick): [string, string] {
  const path = pick([...texts.keys()]);
  const folder = [pick(folderNames), pick(folderNames)].slice(0, pick([0, 1, 2]));
  if (tries % 4 === 0 && path.includes('/'))
    return [dirname(path), [...folder, `${pick(folderNames)} ${tries}`].join('/')];
  return [path, [...folder, `${pick([bare(path), pick(stems)])}.md`].join('/')];
}

function backOf(done: readonly [string, string][], pick: Pick): [string, string] {
  const [from, to] = pick(done.slice(-5));
  return [to, from];
}

async function move({ callTool }: Keepsake, from: string, to: string): Promise<string> {
  const input = { from, to };
  const outcome = await callTool({ tool: 'move', input, reader: 'person', origin: 'campaign' });
  return outcome.kind === 'result' ? outcome.result.text : outcome.message;
}
