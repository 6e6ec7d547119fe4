export { parseAddress, showAddress } from './address.ts';
export { readRemoteIdentity } from './remote-identity.ts';
export { openSyncRepository, readSyncSettings } from './repository.ts';
export type { SyncRepository } from './repository.ts';
export { createLastSync } from './last-sync.ts';
export type { LastSync } from './last-sync.ts';
export type { SyncReport } from './round.ts';
export { createSeenFiles, seenFilesVersion } from './seen-files.ts';
export { syncVault } from './sync.ts';
