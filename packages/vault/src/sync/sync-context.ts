import type { Changes } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import type { Catalogue, Language, VaultIdentity, VaultPath, VaultView } from '../vault/index.ts';
import type { BlobIdCache } from './blob-id-cache.ts';
import type { ConfirmSecrets } from './check-secrets.ts';
import type { DeletionRule } from './deletions.ts';
import type { RemovalHandler } from './exchange-removals.ts';
import type { FolderMarker } from './folder-marker.ts';
import type { IncomingChanges } from './incoming-changes.ts';
import type { RenamedFile } from './plan-incoming.ts';
import type { SkippedFile } from './syncable-files.ts';
import type { SyncRepository } from './sync-repository.ts';

/** The result of a sync, with formatted paths. */
export type SyncReport = Pick<IncomingChanges, 'received' | 'deleted' | 'merged' | 'conflicts'> & {
  /** Number of removals of forgotten words; `isRemotePurged` is false if the host may keep what was replaced. */
  forgotten: { received: number; sent: number; isRemotePurged: boolean };
  /** Files that got another name: a folder has theirs, or their folder was renamed. */
  renamed: { from: string; to: string; why: RenamedFile['why'] }[];
  /** Files deleted here since the last sync that were restored. */
  restored: string[];
  /** Number of files sent. */
  sent: number;
  /** Number of files that other machines will delete when they sync. */
  sentDeletions: number;
  /** Files that were not synced in either direction, with the reason. */
  leftOut: SkippedFile[];
  /** Ids of the changes made to the vault. */
  changes: string[];
};

export type SyncContext = {
  repository: SyncRepository;
  changes: Pick<
    Changes,
    'writer' | 'find' | 'recordExternalEdits' | 'position' | 'relocationsSince' | 'fileVersions'
  >;
  catalogue: Pick<Catalogue, 'contents' | 'conflictCopies' | 'refresh'>;
  view: Pick<VaultView, 'read' | 'layout'>;
  seen: BlobIdCache;
  identity: VaultIdentity;
  machine: string;
  language: Language;
  /** Whether a file is hidden from models. */
  isHidden: (path: VaultPath) => boolean;
  clock: Clock;
  marker: FolderMarker;
  removals: RemovalHandler;
  deletions: DeletionRule;
  confirmSecrets: ConfirmSecrets;
  /** Throws if another process has started to sync this vault. */
  check: () => void;
};
