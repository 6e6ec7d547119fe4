import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filePathsBelow, folderIn, kindOf, parseVaultPath } from '../../packages/vault/src/vault/index.ts';
import type { VaultPath } from '../../packages/vault/src/vault/index.ts';
import { keptVault } from './upkeep-vault.ts';
import type { KeptVault } from './upkeep-vault.ts';

/** Files of a folder; null for one that is taken away. */
type Files = Record<string, string | null>;

/** What history has, what a sync service makes of it, in one step or more, and what it should come to. */
type Shape = {
  known: Files;
  arriving: Files[];
  /** All that lies there in the end. */
  left: Files;
  /** What of it is listed and searched; all notes unless it is said. */
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

/** What two machines did to `plan.md`, by what the service called the copy. */
const pairs: Record<string, (copy: string) => Omit<Shape, 'left'> & { left?: Files }> = {
  'each added a line': (copy) => ({
    known: { 'plan.md': base },
    arriving: [{ 'plan.md': mine, [copy]: theirs }],
  }),
  'one took a line away, one added one': (copy) => ({
    known: { 'plan.md': base },
    arriving: [{ 'plan.md': base.replace('two\n', ''), [copy]: theirs }],
  }),
  'both changed one line': (copy) => ({
    known: { 'plan.md': base },
    arriving: [{ 'plan.md': base.replace('three', 'zebra'), [copy]: base.replace('three', 'giraffe') }],
  }),
  'the copy comes before the note': (copy) => ({
    known: { 'plan.md': base },
    arriving: [{ 'plan.md': null, [copy]: theirs }, { 'plan.md': mine }],
  }),
  'the copy is the same': (copy) => ({ known: { 'plan.md': base }, arriving: [{ [copy]: base }] }),
  'the copy went on from the note as it is': (copy) => ({
    known: { 'plan.md': base },
    arriving: [{ [copy]: theirs }],
  }),
  'the copy has nothing to do with it': (copy) => ({
    known: { 'plan.md': base },
    arriving: [{ [copy]: 'a song\n' }],
  }),
  'there is no note beside it': (copy) => ({ known: {}, arriving: [{ [copy]: theirs }] }),
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
  [syncthing, 'one took a line away, one added one', without],
  [syncthing, 'both changed one line', both],
  [syncthing, 'the copy comes before the note', apart],
  [syncthing, 'the copy is the same', merged(base)],
  [syncthing, 'the copy went on from the note as it is', merged(theirs)],
  [syncthing, 'the copy has nothing to do with it', ask],
  [syncthing, 'there is no note beside it', asNote],
  [syncthing.replace('plan', 'changelog'), 'entries of a changelog', changelog],
  [syncthing.replace('plan', 'tasks'), 'tasks, one of them finished', paint],
  [syncthing.replace('.md', '.sync-conflict-20260715-070000-QWERTY2.md'), 'each added a line', apart],
  [dropbox, 'each added a line', apart],
  [dropbox, 'one took a line away, one added one', without],
  [dropbox, 'both changed one line', both],
  [dropbox, 'the copy is the same', merged(base)],
  [dropbox, 'there is no note beside it', asNote],
  [dropbox.replace('plan', 'changelog'), 'entries of a changelog', changelog],
  ['plan (Copie en conflit de Portable 2026-07-14).md', 'each added a line', apart],
  ['plan (In Konflikt stehende Kopie von Laptop 2026-07-14).md', 'each added a line', apart],
  ['plan (copia en conflicto de Laptop 2026-07-14).md', 'each added a line', apart],
  ['plan (Laptop の競合コピー 2026-07-14).md', 'each added a line', apart],
  ['plan (Case Conflict).md', 'each added a line', apart],
  ['plan (conflict copy ideas).md', 'each added a line', asNote],
  [nextcloud, 'each added a line', apart],
  [nextcloud, 'both changed one line', both],
  [nextcloud, 'the copy comes before the note', apart],
  [nextcloud.replace('plan', 'tasks'), 'tasks, one of them finished', paint],
  ['plan_conflict-20260714-183000.md', 'each added a line', apart],
  [obsidian, 'each added a line', apart],
  [obsidian, 'both changed one line', both],
  [obsidian, 'there is no note beside it', asNote],
  [icloud, 'each added a line', apart],
  [icloud, 'one took a line away, one added one', without],
  [icloud, 'both changed one line', both],
  [icloud, 'the copy is the same', asNote],
  [icloud, 'the copy went on from the note as it is', ask],
  [icloud, 'the copy has nothing to do with it', asNote],
  [icloud, 'there is no note beside it', asNote],
  // Both made the same day, so that each is nearer to the other than to what they come from.
  ['changelog 2.md', 'entries of a changelog', ask],
  [drive, 'each added a line', apart],
  [drive, 'both changed one line', both],
  [drive, 'the copy is the same', asNote],
  [drive, 'the copy has nothing to do with it', asNote],
  ['plan (2026).md', 'each added a line', asNote],
  [onedrive, 'each added a line', apart],
  [onedrive, 'both changed one line', both],
  [onedrive, 'the copy has nothing to do with it', asNote],
  ['plan-desktop.md', 'each added a line', asNote],
];

const plan = { 'plan.md': base };

/** Everything else a service does to a folder. */
const shapes: [what: string, shape: Shape][] = [
  [
    'a placeholder takes the place of a note',
    {
      known: plan,
      arriving: [{ 'plan.md': null, '.plan.md.icloud': 'x' }],
      left: { '.plan.md.icloud': 'x' },
      notes: ['plan.md'],
    },
  ],
  [
    'a placeholder goes again, and the note is back',
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
    'a placeholder goes, and the note is gone',
    {
      known: plan,
      arriving: [{ 'plan.md': null, '.plan.md.icloud': 'x' }, { '.plan.md.icloud': null }],
      left: {},
    },
  ],
  [
    'a placeholder of what was never here',
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
    'Syncthing writes a note where nothing can be hidden',
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
    'a download under way',
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
    'a lock of an office program',
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
    'what Windows leaves in a folder',
    { known: plan, arriving: [{ 'desktop.ini': '[x]' }], left: { ...plan, 'desktop.ini': '[x]' } },
  ],
  [
    'a note arrives in two pieces',
    { known: plan, arriving: [{ 'plan.md': 'one\ntw' }, { 'plan.md': theirs }], left: { 'plan.md': theirs } },
  ],
  [
    'a note is empty before its words come',
    { known: plan, arriving: [{ 'plan.md': '' }, { 'plan.md': theirs }], left: { 'plan.md': theirs } },
  ],
  [
    'a note is gone before it comes anew',
    { known: plan, arriving: [{ 'plan.md': null }, { 'plan.md': theirs }], left: { 'plan.md': theirs } },
  ],
  [
    'a name in other letters',
    { known: plan, arriving: [{ 'plan.md': null, 'Plan.md': base }], left: { 'Plan.md': base } },
  ],
  [
    'two names that differ in case',
    { known: plan, arriving: [{ 'Plan.md': 'another\n' }], left: { ...plan, 'Plan.md': 'another\n' } },
  ],
  [
    'a copy of a note in other letters',
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

async function letHappen(vault: KeptVault): Promise<void> {
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

/** What a case came to. `strays` are found though they are no notes. */
type Result = { files: Files; notes: string[]; strays: string[]; isAsked: boolean };

const wanted = ({ left, notes, isAsked = false }: Shape): Result => ({
  files: left,
  notes: (notes ?? Object.keys(left).filter((name) => kindOf(name) === 'markdown')).toSorted(),
  strays: [],
  isAsked,
});

async function look(vault: KeptVault): Promise<Result[]> {
  const { catalogue, search } = vault.keepsake;
  const contents = await catalogue.contents();
  const indexed = await search.withIndex(async ({ index }) => [...index.files().keys()]);
  const inbox = folderIn(contents, pathOf('inbox'));
  const questions = [...(inbox === undefined ? [] : filePathsBelow(inbox))].map((path) =>
    vault.read(path.slice('vault/'.length)),
  );
  return all.map((_, index) => {
    const folder = join(vault.folder, folderOf(index));
    const path = pathOf(folderOf(index));
    const names = existsSync(folder) ? readdirSync(folder) : [];
    const below = (paths: Iterable<VaultPath>): string[] =>
      [...paths].filter((each) => each.startsWith(`${path}/`)).map((each) => each.slice(path.length + 1));
    const notes = below(filePathsBelow(contents)).toSorted();
    return {
      files: Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')])),
      notes,
      strays: below(indexed).filter((name) => !notes.includes(name)),
      isAsked: questions.some((question) => question.includes(`${path}/`)),
    };
  });
}

it(`${all.length} things that sync services do to a folder come to what they should`, async () => {
  const vault = await keptVault({ kind: 'adopted', files: { 'other.md': 'x\n' } });
  await letHappen(vault);
  const byCase = (results: readonly Result[]) =>
    Object.fromEntries(results.map((result, index) => [`${index + 1} ${all[index]?.[0]}`, result]));
  await expect
    .poll(async () => byCase(await look(vault)), { timeout: 60_000, interval: 250 })
    .toEqual(byCase(all.map(([, shape]) => wanted(shape))));
  expect(vault.events.filter(({ kind }) => kind === 'failed')).toEqual([]);
}, 120_000);
