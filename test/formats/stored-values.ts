import type { LogRecord, StoredRecord } from '../../packages/service/src/hosting/records.ts';
import type { FilingProgress } from '../../packages/vault/src/agents/update/progress.ts';
import type { StagedFile, Staging } from '../../packages/vault/src/changes/staged-changes.ts';
import type { VaultPath } from '../../packages/vault/src/vault/index.ts';

/** Every byte value; no text encoding round-trips them. */
const anyBytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
const [note, log, moved] = ['vault/a.md', 'vault/log.md', 'vault/bucket/b.md'] as VaultPath[] as [
  VaultPath,
  VaultPath,
  VaultPath,
];
const text = (words: string): Buffer => Buffer.from(words);

/** The values below are those of the files in `v8/`, which an earlier version wrote. */
export const stagedFiles: [VaultPath, StagedFile][] = [
  [note, { before: text('one\n'), after: anyBytes, keepsStamps: false, unlinked: text('one\n') }],
  [
    log,
    {
      before: text('# Log\n'),
      after: text('# Log\n\nnew\n'),
      keepsStamps: true,
      additions: [
        {
          before: text('# Log\n'),
          after: text('# Log\n\nnew\n'),
          additions: [{ text: 'new', position: 'bottom', isLog: false }],
        },
      ],
    },
  ],
  [moved, { before: null, after: text('moved'), keepsStamps: true, from: 'vault/b.md' as VaultPath }],
  ['vault/b.md' as VaultPath, { before: text('moved'), after: null, keepsStamps: true }],
];
export const removedFolder = 'vault/empty' as VaultPath;

export function stageAll({ stage, changes }: Staging): void {
  for (const [path, { additions, ...file }] of stagedFiles) stage(path, file, additions?.[0]?.additions[0]);
  changes.removeFolder(removedFolder);
}

export const progress: Omit<FilingProgress, 'staged'> = {
  next: { source: 0, line: 12, character: 3 },
  size: 10_000,
  summaries: ['The first part; «quoted» 🌲'],
  incoming: {
    folder: 'vault/inbox/2026-11-18-scan' as VaultPath,
    files: new Map([
      ['vault/inbox/2026-11-18-scan/original.md' as VaultPath, text('# Scan\n')],
      ['vault/inbox/2026-11-18-scan/scan.png' as VaultPath, anyBytes],
    ]),
    shown: ['vault/inbox/2026-11-18-scan/original.md' as VaultPath],
    original: 'vault/inbox/2026-11-18-scan/original.md' as VaultPath,
  },
  isPersons: true,
};

const id = '0f8fad5b-d9cb-469f-a165-70867728950e';

export const records = {
  begun: {
    kind: 'begun',
    entry: {
      id,
      at: 1_763_424_000_000,
      origin: 'mail',
      summary: 'File a scan',
      state: 'applying',
      undoes: undefined,
      isUserAuthored: false,
    },
    changes: [
      { kind: 'create', path: moved, after: anyBytes, mode: null },
      { kind: 'replace', path: note, before: text('one\n'), after: text('two\n'), mode: 0o644 },
      { kind: 'remove', path: log, before: text('# Log\n'), mode: 0o600 },
      { kind: 'make-folder', path: 'vault/bucket' as VaultPath },
    ],
    taking: {
      connection: 'mail',
      removed: [{ path: log, totalCharacters: 5, removedCharacters: 3, isMostlyRemoved: true }],
      own: new Set([note, moved]),
    },
  },
  accepted: {
    kind: 'accepted',
    id,
    at: 1_763_424_000_000,
    input: { text: 'x', source: { kind: 'other', name: 'mail' } },
    files: [{ name: 'a.pdf', bytes: anyBytes }],
    key: 'a-key',
  },
  rows: {
    kind: 'rows',
    rows: [
      {
        table: 'tokens',
        key: [id],
        row: { id, name: 'phone', hash: anyBytes, scope: 'read', created_at: 5 },
      },
      { table: 'sessions', key: [id], row: null },
    ],
  },
  decided: { kind: 'decided', id, decision: 'approved' },
  stored: { kind: 'stored', object: `${id}/1/records/5-abc` },
} as const satisfies Record<string, LogRecord | StoredRecord>;
