import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * What has to be true about a token after it was acknowledged. `kept`: once in the vault and in the history. `undone`: only in the
 * history. `withdrawn`: not in the vault. `open` and `done`: `kept`, in a task of this state. `task`: `kept`, in a task of any state.
 * `uncertain`: at most once, because the change was never acknowledged.
 */
export type Fate = 'kept' | 'undone' | 'withdrawn' | 'open' | 'done' | 'task' | 'uncertain';

export type Ledger = {
  /** Returns a token that is in no text yet. */
  mint: () => string;
  expect: (token: string, fate: Fate) => void;
  fateOf: (token: string) => Fate | undefined;
  entries: () => [token: string, fate: Fate][];
  tokensOf: (fate: Fate) => string[];
  summary: () => string;
};

const tokenPattern = '(tok|out|job)[0-9]+x';

export function createLedger(): Ledger {
  const fates = new Map<string, Fate>();
  let minted = 0;
  return {
    mint: () => `tok${(minted += 1)}x`,
    expect: (token, fate) => void fates.set(token, fate),
    fateOf: (token) => fates.get(token),
    entries: () => [...fates],
    tokensOf: (fate) => [...fates].filter(([, each]) => each === fate).map(([token]) => token),
    summary() {
      const counts = Map.groupBy(fates.values(), (fate) => fate);
      return [...counts].map(([fate, { length }]) => `${length} ${fate}`).join(', ');
    },
  };
}

type Place = { vault: string; state: string };

/** Whether the token is exactly once in the notes on disk. */
export function isOnDisk(vault: string, token: string): boolean {
  return readTokens(vault).get(token)?.length === 1;
}

/** Compares files and history on disk with the ledger, without any code of the product. */
export function judgeWorkday({ vault, state }: Place, ledger: Ledger): string[] {
  const onDisk = readTokens(vault);
  const inHead = countTokens(git(state, ['grep', '-hoE', tokenPattern, 'main', '--', ...notesOnly]));
  const ever = new Set(git(state, ['cat-file', '--batch-all-objects', '--batch']).match(allTokens()));
  const problems = ledger.entries().flatMap(([token, fate]) => {
    const places = onDisk.get(token) ?? [];
    const says = (what: string): string[] => [
      `${token} should be ${fate}: ${what}; now in ${places.map(({ path, line }) => `${path}: “${line}”`).join(', ') || 'no file'}`,
    ];
    if (fate === 'uncertain') return places.length > 1 ? says('is there several times') : [];
    if (fate === 'withdrawn') return places.length > 0 ? says('is there') : [];
    if (fate === 'undone') {
      if (places.length > 0) return says('is there');
      return ever.has(token) ? [] : says('is not in the history');
    }
    if (places.length !== 1)
      return says(`is there ${places.length} times`).map((problem) => `${problem}${traceOf(state, token)}`);
    if (inHead.get(token) !== 1)
      return says(`is ${inHead.get(token) ?? 0} times in the current version of the history`);
    const box = { kept: null, task: /^- \[[ x]\] /, open: /^- \[ \] /, done: /^- \[x\] / }[fate];
    return box === null || places.some(({ line }) => box.test(line)) ? [] : says('has another state');
  });
  for (const token of onDisk.keys())
    if (ledger.fateOf(token) === undefined) problems.push(`${token} is in the vault, but no one wrote it`);
  return [...problems, ...brokenLinks(vault), ...leftovers(vault)];
}

/** The changes that added or removed the token, and the files of the state that contain it. */
function traceOf(state: string, token: string): string {
  const changes = git(state, ['log', '-S', token, '--format=%h %s', 'main']).trim().split('\n');
  const stores = readdirSync(state, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && !each.parentPath.includes('history.git'))
    .map((each) => join(each.parentPath, each.name))
    .filter((path) => readIfThere(path).includes(token));
  return `; changes: ${changes.join(', ') || 'none'}; in ${stores.join(', ') || 'no store'}`;
}

/** Links of the index whose note does not exist. */
function brokenLinks(vault: string): string[] {
  const names = new Set(files(vault).map((path) => basename(path, '.md')));
  const text = readFileSync(join(vault, 'index.md'), 'utf8');
  const wikilinks = [...text.matchAll(/\[\[([^\]|]+)/g)].map(([, name = '']) => basename(name));
  const paths = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path);
  return [
    ...wikilinks.filter((name) => !names.has(name)),
    ...paths.filter((path) => !existsSync(join(vault, decodeURI(path)))),
  ].map((link) => `index.md links to ${link}, which does not exist`);
}

function leftovers(vault: string): string[] {
  return readdirSync(vault, { recursive: true, encoding: 'utf8' })
    .filter((path) => basename(path).startsWith('.keepsake-'))
    .map((path) => `temporary file left: ${path}`);
}

type Found = { path: string; line: string };

function readTokens(vault: string): Map<string, Found[]> {
  const found = new Map<string, Found[]>();
  for (const path of files(vault))
    for (const line of readIfThere(join(vault, path)).split('\n'))
      for (const token of line.match(allTokens()) ?? [])
        found.set(token, [...(found.get(token) ?? []), { path, line }]);
  return found;
}

/** A file may be renamed or deleted meanwhile. */
function readIfThere(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** `tree.md` is generated from the notes. */
const notesOnly = ['*.md', ':!tree.md', ':!vault/tree.md'];

function files(vault: string): string[] {
  return readdirSync(vault, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.md') && path !== 'tree.md' && !path.includes('.keepsake'),
  );
}

const allTokens = (): RegExp => new RegExp(tokenPattern, 'g');

function countTokens(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const token of text.match(allTokens()) ?? []) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

function git(state: string, args: string[]): string {
  const folder = join(state, 'history.git');
  return execFileSync('git', ['--git-dir', folder, ...args], { encoding: 'latin1', maxBuffer: 2 ** 30 });
}
