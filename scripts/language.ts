// Finds words that readers do not know from other projects, in code, tests and documents. Each row says what to write instead.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

type Rule = { word: RegExp; instead: string };

const rules: Rule[] = [
  { word: /\bmend(?:s|ed|ing)?\b/gi, instead: 'hint; fix, repair' },
  { word: /\banew\b/gi, instead: 'again; rebuild, recreate' },
  { word: /\b(?:some|no)body\b/gi, instead: 'the caller, a client, another process, no one' },
  { word: /\bwhoever\b/gi, instead: 'the caller, the client' },
  { word: /\bwhosoever\b/gi, instead: 'the caller, the client' },
  { word: /\b(?:is|are|was|be) had\b/gi, instead: 'is available' },
  {
    word: /\b(?:lies|lie|stands|stand) (?:in(?! for\b)|there|beside|above|below)\b/gi,
    instead: 'is in, is stored in',
  },
  { word: /\btold of\b/gi, instead: 'notified of, reported' },
  { word: /\b(?:take|takes|taken|took|taking) back\b/gi, instead: 'undo, revert' },
  { word: /\b(?:is|are|be|was|were) let in\b/gi, instead: 'is granted access' },
  { word: /\bkept? from (?:models|agents|AI)\b/gi, instead: 'hidden from AI' },
  { word: /\bsigns? of life\b/gi, instead: 'heartbeat, liveness' },
  {
    word: /\b(?:take|takes|took|wait|waits|waited) (?:for )?(?:its|their|one's) turn\b/gi,
    instead: 'queue, serialize',
  },
  {
    word: /\b(?!mostCommon)(?:most|usual|least|longest|largest|shortest|deepest)[A-Z]\w*/g,
    instead: 'max…, default…, min… with a unit',
  },
  { word: /\bpatience\b/gi, instead: 'timeoutMs' },
  { word: /\b(?:beat|look)Every\b/g, instead: 'heartbeatIntervalMs, pollIntervalMs' },
  {
    word: /\b(?:inTurn|takeTurn|letGo|layDown|stillMine|lookAgain|isThere|mostAtOnce)\b/g,
    instead: 'a verb with an object',
  },
  { word: /\bput to sleep\b/gi, instead: 'suspend' },
  { word: /\bunless told\b/gi, instead: 'by default' },
];

/** Files whose words are not ours to choose, with the reason. */
const ignored: { path: RegExp; reason: string }[] = [
  { path: /^scripts\/language\.ts$|^test\/language\.test\.ts$/, reason: 'names the words' },
  {
    path: /^packages\/benchmark\/data\/|^packages\/vault\/demo\/|^docs\/example-vault\//,
    reason: 'notes, as people write them',
  },
  {
    path: /^test\/fuzz\/seeds\/|^test\/intake\/|^test\/formats\/|^packages\/benchmark\/src\/eval\/generate\/english\.ts$/,
    reason: 'documents of others, generated notes, data of earlier versions',
  },
];

/** Correct uses of these words, by file and text. */
const allowed: { path: string; text: string; reason: string }[] = [
  { path: 'CHANGELOG.md', text: 'mend', reason: 'names the old field' },
  { path: 'CONTRIBUTING.md', text: 'whoever', reason: 'an example of what to avoid' },
  {
    path: 'packages/vault/src/contract/read-sentence.ts',
    text: 'somebody',
    reason: 'parses sentences of earlier versions',
  },
  {
    path: 'packages/vault/src/contract/read-sentence.ts',
    text: 'takes back',
    reason: 'parses sentences of earlier versions',
  },
  { path: 'packages/service/src/hosting/schema.ts', text: 'be had', reason: 'a released migration' },
  { path: 'test/migrations.test.ts', text: 'somebody', reason: 'a sentence of an earlier version' },
];

type Finding = { path: string; line: number; text: string; instead: string };

export function findDialect(path: string, content: string): Finding[] {
  if (ignored.some((each) => each.path.test(path))) return [];
  const lines = content.split('\n');
  return lines.flatMap((line, index) =>
    rules.flatMap(({ word, instead }) =>
      [...line.matchAll(word)]
        .filter(([text]) => !allowed.some((each) => each.path === path && each.text === text))
        .map(([text]) => ({ path, line: index + 1, text, instead })),
    ),
  );
}

/** Allowed uses that no longer occur. */
export function findUnusedAllowances(read: (path: string) => string): string[] {
  return allowed
    .filter(({ path, text }) => !read(path).includes(text))
    .map(({ path, text }) => `${path}: ${text}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    .split('\n')
    .filter(
      (path) =>
        /\.(?:ts|tsx|mjs|md|css|ya?ml|json)$/.test(path) && path !== 'package-lock.json' && existsSync(path),
    );
  const read = (path: string): string => readFileSync(path, 'utf8');
  const findings = files.flatMap((path) => findDialect(path, read(path)));
  for (const { path, line, text, instead } of findings)
    console.error(`${path}:${line}: ${text} (write: ${instead})`);
  for (const unused of findUnusedAllowances(read))
    console.error(`scripts/language.ts allows what no longer occurs: ${unused}`);
  console.log(`${files.length} files, ${findings.length} words to replace`);
  process.exitCode = findings.length > 0 || findUnusedAllowances(read).length > 0 ? 1 : 0;
}
