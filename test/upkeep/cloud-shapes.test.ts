import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  walkFilePaths,
  findFolder,
  fileKindOf,
  parseVaultPath,
} from '../../packages/vault/src/vault/index.ts';
import type { VaultPath } from '../../packages/vault/src/vault/index.ts';
import { createUpkeepVault } from './upkeep-vault.ts';
import type { UpkeepVault } from './upkeep-vault.ts';

/** Files of a folder; null deletes a file. */
type Files = Record<string, string | null>;

/** The files in history, what a sync service does to them in one or two steps, and the expected result. */
type Shape = {
  known: Files;
  arriving: Files[];
  /** All files at the end. */
  left: Files;
  /** The listed and searched files among them; by default all notes. */
  notes?: string[];
  isAsked?: boolean;
};

const text = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('');
const base = text('one', 'two', 'three', 'four', 'five');
const mine = `zero\n${base}`;
const theirs = `${base}six\n`;
const day = ['# 2026-07-13', '', '## Old', '', 'old words'];
const task = (name: string, ...more: string[]): string[] => [`# ${name}`, 'status: open', ...more, ''];

const merged = (into: string, note = 'plan.md'): Partial<Shape> => ({ left: { [note]: into } });

/** What two machines did to `plan.md`, for the name that the service gave the copy. */
const pairs: Record<string, (copy: string) => Omit<Shape, 'left'> & { left?: Files }> = {
  'each added a line': (copy) => ({
    known: { 'plan.md': base },
    arriving: [{ 'plan.md': mine, [copy]: theirs }],
  }),
  'one deleted a line, one added a line': (copy) => ({
    known: { 'plan.md': base },
    arriving: [{ 'plan.md': base.replace('two\n', ''), [copy]: theirs }],
  }),
  'both changed one line': (copy) => ({
    known: { 'plan.md': base },
    arriving: [{ 'plan.md': base.replace('three', 'zebra'), [copy]: base.replace('three', 'giraffe') }],
  }),
  'the copy arrives before the note': (copy) => ({
    known: { 'plan.md': base },
    arriving: [{ 'plan.md': null, [copy]: theirs }, { 'plan.md': mine }],
  }),
  'the copy is identical': (copy) => ({ known: { 'plan.md': base }, arriving: [{ [copy]: base }] }),
  'the copy extends the current note': (copy) => ({
    known: { 'plan.md': base },
    arriving: [{ [copy]: theirs }],
  }),
  'the copy is unrelated': (copy) => ({
    known: { 'plan.md': base },
    arriving: [{ [copy]: 'a song\n' }],
  }),
  'there is no note next to it': (copy) => ({ known: {}, arriving: [{ [copy]: theirs }] }),
  'entries of a changelog': (copy) => ({
    known: { 'changelog.md': text(...day) },
    arriving: [
      {
        'changelog.md': text('# 2026-07-14', '', '## Mine', '', ...day),
        [copy]: text('# 2026-07-14', '', '## Theirs', '', ...day),
      },
    ],
  }),
  'tasks, one of them finished': (copy) => ({
    known: { 'tasks.md': text(...task('Call'), ...task('Paint')) },
    arriving: [
      {
        'tasks.md': text(...task('Paint')),
        [copy]: text(...task('Call'), ...task('Paint', 'in blue')),
      },
    ],
  }),
};

const apart = merged(`zero\n${base}six\n`);
const without = merged(theirs.replace('two\n', ''));
const ask = { isAsked: true };
const both = { ...merged(base.replace('three', 'giraffe\n\nzebra')), ...ask };
const asNote = { isNote: true };
const changelog = merged(text('# 2026-07-14', '', '## Theirs', '', '## Mine', '', ...day), 'changelog.md');
const paint = merged(text('# Paint', 'status: open', 'in blue'), 'tasks.md');

type Outcome = Partial<Shape> & { isNote?: boolean };

const syncthing = 'plan.sync-conflict-20260714-183000-ABCDEFG.md';
const dropbox = "plan (Laptop's conflicted copy 2026-07-14).md";
const nextcloud = 'plan (conflicted copy 2026-07-14 183000).md';
const obsidian = 'plan (Conflicted copy laptop 202607141830).md';
const icloud = 'plan 2.md';
const drive = 'plan (1).md';
const onedrive = 'plan-DESKTOP-ABC123.md';

const copies: [copy: string, what: keyof typeof pairs, outcome: Outcome][] = [
  [syncthing, 'each added a line', apart],
  [syncthing, 'one deleted a line, one added a line', without],
  [syncthing, 'both changed one line', both],
  [syncthing, 'the copy arrives before the note', apart],
  [syncthing, 'the copy is identical', merged(base)],
  [syncthing, 'the copy extends the current note', merged(theirs)],
  [syncthing, 'the copy is unrelated', ask],
  [syncthing, 'there is no note next to it', asNote],
  [syncthing.replace('plan', 'changelog'), 'entries of a changelog', changelog],
  [syncthing.replace('plan', 'tasks'), 'tasks, one of them finished', paint],
  [syncthing.replace('.md', '.sync-conflict-20260715-070000-QWERTY2.md'), 'each added a line', apart],
  [dropbox, 'each added a line', apart],
  [dropbox, 'one deleted a line, one added a line', without],
  [dropbox, 'both changed one line', both],
  [dropbox, 'the copy is identical', merged(base)],
  [dropbox, 'there is no note next to it', asNote],
  [dropbox.replace('plan', 'changelog'), 'entries of a changelog', changelog],
  ['plan (Copie en conflit de Portable 2026-07-14).md', 'each added a line', apart],
  ['plan (In Konflikt stehende Kopie von Laptop 2026-07-14).md', 'each added a line', apart],
  ['plan (copia en conflicto de Laptop 2026-07-14).md', 'each added a line', apart],
  ['plan (Laptop の競合コピー 2026-07-14).md', 'each added a line', apart],
  ['plan (Case Conflict).md', 'each added a line', apart],
  ['plan (conflict copy ideas).md', 'each added a line', asNote],
  [nextcloud, 'each added a line', apart],
  [nextcloud, 'both changed one line', both],
  [nextcloud, 'the copy arrives before the note', apart],
  [nextcloud.replace('plan', 'tasks'), 'tasks, one of them finished', paint],
  ['plan_conflict-20260714-183000.md', 'each added a line', apart],
  [obsidian, 'each added a line', apart],
  [obsidian, 'both changed one line', both],
  [obsidian, 'there is no note next to it', asNote],
  [icloud, 'each added a line', apart],
  [icloud, 'one deleted a line, one added a line', without],
  [icloud, 'both changed one line', both],
  [icloud, 'the copy is identical', asNote],
  [icloud, 'the copy extends the current note', ask],
  [icloud, 'the copy is unrelated', asNote],
  [icloud, 'there is no note next to it', asNote],
  // Both have the same date, so each is closer to the other than to the base.
  ['changelog 2.md', 'entries of a changelog', ask],
  [drive, 'each added a line', apart],
  [drive, 'both changed one line', both],
  [drive, 'the copy is identical', asNote],
  [drive, 'the copy is unrelated', asNote],
  ['plan (2026).md', 'each added a line', asNote],
  [onedrive, 'each added a line', apart],
  [onedrive, 'both changed one line', both],
  [onedrive, 'the copy is unrelated', asNote],
  ['plan-desktop.md', 'each added a line', asNote],
];

const plan = { 'plan.md': base };

/** Other things that a service does to a folder. */
const shapes: [what: string, shape: Shape][] = [
  [
    'a placeholder replaces a note',
    {
      known: plan,
      arriving: [{ 'plan.md': null, '.plan.md.icloud': 'x' }],
      left: { '.plan.md.icloud': 'x' },
      notes: ['plan.md'],
    },
  ],
  [
    'a placeholder is removed and the note returns',
    {
      known: plan,
      arriving: [
        { 'plan.md': null, '.plan.md.icloud': 'x' },
        { 'plan.md': theirs, '.plan.md.icloud': null },
      ],
      left: { 'plan.md': theirs },
    },
  ],
  [
    'a placeholder is removed and the note was deleted',
    {
      known: plan,
      arriving: [{ 'plan.md': null, '.plan.md.icloud': 'x' }, { '.plan.md.icloud': null }],
      left: {},
    },
  ],
  [
    'a placeholder for an unknown file',
    { known: {}, arriving: [{ '.new.md.icloud': 'x' }], left: { '.new.md.icloud': 'x' }, notes: [] },
  ],
  [
    'Syncthing writes a note',
    {
      known: plan,
      arriving: [{ '.syncthing.plan.md.tmp': 'on' }, { '.syncthing.plan.md.tmp': null, 'plan.md': theirs }],
      left: { 'plan.md': theirs },
    },
  ],
  [
    'Syncthing writes a note on Windows, with a visible temporary file',
    {
      known: plan,
      arriving: [{ '~syncthing~plan.md.tmp': 'on' }],
      left: { ...plan, '~syncthing~plan.md.tmp': 'on' },
    },
  ],
  [
    'old versions of Syncthing',
    { known: plan, arriving: [{ '.stversions': '' }], left: { ...plan, '.stversions': '' } },
  ],
  [
    'an unfinished download',
    {
      known: plan,
      arriving: [{ 'new.md.crdownload': 'ha' }, { 'new.md.crdownload': null, 'new.md': 'half' }],
      left: { ...plan, 'new.md': 'half' },
    },
  ],
  [
    'a partial file of rclone',
    {
      known: plan,
      arriving: [{ 'plan.md.1a2b3c4d.partial': 'on' }],
      left: { ...plan, 'plan.md.1a2b3c4d.partial': 'on' },
    },
  ],
  [
    'a lock file of an office program',
    {
      known: plan,
      arriving: [{ '~$plan.md': 'me' }],
      left: { ...plan, '~$plan.md': 'me' },
      notes: ['plan.md'],
    },
  ],
  [
    'a swap file and a backup of an editor',
    {
      known: plan,
      arriving: [{ 'plan.md.swp': 'b0', 'plan.md~': base }],
      left: { ...plan, 'plan.md.swp': 'b0', 'plan.md~': base },
    },
  ],
  [
    'a desktop.ini of Windows',
    { known: plan, arriving: [{ 'desktop.ini': '[x]' }], left: { ...plan, 'desktop.ini': '[x]' } },
  ],
  [
    'a note arrives in two pieces',
    { known: plan, arriving: [{ 'plan.md': 'one\ntw' }, { 'plan.md': theirs }], left: { 'plan.md': theirs } },
  ],
  [
    'a note is empty before its content arrives',
    { known: plan, arriving: [{ 'plan.md': '' }, { 'plan.md': theirs }], left: { 'plan.md': theirs } },
  ],
  [
    'a note is deleted and recreated',
    { known: plan, arriving: [{ 'plan.md': null }, { 'plan.md': theirs }], left: { 'plan.md': theirs } },
  ],
  [
    'a name with different case',
    { known: plan, arriving: [{ 'plan.md': null, 'Plan.md': base }], left: { 'Plan.md': base } },
  ],
  [
    'two names that differ in case',
    { known: plan, arriving: [{ 'Plan.md': 'another\n' }], left: { ...plan, 'Plan.md': 'another\n' } },
  ],
  [
    'a copy of a note with different case',
    {
      known: plan,
      arriving: [{ [syncthing.replace('plan', 'Plan')]: theirs }],
      left: { ...plan, [syncthing.replace('plan', 'Plan')]: theirs },
    },
  ],
  [
    'two copies of one note',
    {
      known: plan,
      arriving: [{ 'plan.md': mine, [syncthing]: theirs, [dropbox]: base.replace('two\n', '') }],
      left: { 'plan.md': `zero\n${theirs.replace('two\n', '')}` },
    },
  ],
];

function shapeOf(copy: string, what: string, { isNote, ...outcome }: Outcome): Shape {
  const pair = pairs[what]?.(copy) ?? expect.unreachable(what);
  const left = Object.assign({}, pair.known, ...pair.arriving) as Files;
  const notes =
    isNote === true ? Object.keys(left) : Object.keys(outcome.left ?? left).filter((name) => name !== copy);
  return { ...pair, left, notes, ...outcome };
}

const all: [what: string, shape: Shape][] = [
  ...copies.map(([copy, what, outcome]): [string, Shape] => [
    `${copy}: ${what}`,
    shapeOf(copy, what, outcome),
  ]),
  ...shapes,
];
const folderOf = (index: number): string => `case-${index + 1}`;
const pathOf = (name: string): VaultPath => (parseVaultPath(name) as { path: VaultPath }).path;

async function letHappen(vault: UpkeepVault): Promise<void> {
  const known = all.flatMap(([, shape], index) =>
    Object.entries(shape.known).map(([name, content]) => ({
      kind: 'create' as const,
      path: pathOf(`${folderOf(index)}/${name}`),
      after: Buffer.from(content ?? ''),
      mode: null,
    })),
  );
  await vault.keepsake.changes.writer.write(known, { origin: 'test', summary: 'as it was' });
  await vault.keepsake.catalogue.refresh();
  await vault.start();
  for (const step of [0, 1]) {
    for (const [index, [, shape]] of all.entries())
      for (const [name, content] of Object.entries(shape.arriving[step] ?? {})) {
        mkdirSync(join(vault.folder, folderOf(index)), { recursive: true });
        const file = join(vault.folder, folderOf(index), name);
        if (content === null) rmSync(file);
        else writeFileSync(file, content);
      }
    await vault.silence(600);
  }
}

/** The result of a case. `strays` are indexed files that are not notes. */
type Result = { files: Files; notes: string[]; strays: string[]; isAsked: boolean };

const wanted = ({ left, notes, isAsked = false }: Shape): Result => ({
  files: left,
  notes: (notes ?? Object.keys(left).filter((name) => fileKindOf(name) === 'markdown')).toSorted(),
  strays: [],
  isAsked,
});

async function look(vault: UpkeepVault): Promise<Result[]> {
  const { catalogue, search } = vault.keepsake;
  const contents = await catalogue.contents();
  const indexed = await search.withIndex(async ({ index }) => [...index.files().keys()]);
  const inbox = findFolder(contents, pathOf('inbox'));
  const questions = [...(inbox === undefined ? [] : walkFilePaths(inbox))].map((path) =>
    vault.read(path.slice('vault/'.length)),
  );
  return all.map((_, index) => {
    const folder = join(vault.folder, folderOf(index));
    const path = pathOf(folderOf(index));
    const names = existsSync(folder) ? readdirSync(folder) : [];
    const below = (paths: Iterable<VaultPath>): string[] =>
      [...paths].filter((each) => each.startsWith(`${path}/`)).map((each) => each.slice(path.length + 1));
    const notes = below(walkFilePaths(contents)).toSorted();
    return {
      files: Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')])),
      notes,
      strays: below(indexed).filter((name) => !notes.includes(name)),
      isAsked: questions.some((question) => question.includes(`${path}/`)),
    };
  });
}

it(`upkeep handles ${all.length} file patterns of sync services`, async () => {
  const vault = await createUpkeepVault({ kind: 'adopted', files: { 'other.md': 'x\n' } });
  await letHappen(vault);
  const byCase = (results: readonly Result[]) =>
    Object.fromEntries(results.map((result, index) => [`${index + 1} ${all[index]?.[0]}`, result]));
  await expect
    .poll(async () => byCase(await look(vault)), { timeout: 60_000, interval: 250 })
    .toEqual(byCase(all.map(([, shape]) => wanted(shape))));
  expect(vault.events.filter(({ kind }) => kind === 'failed')).toEqual([]);
}, 120_000);
