export { createCommitLog, readLog } from './commit-log.ts';
export { openHosted } from './hosted-vault.ts';
export type { HostedVault } from './hosted-vault.ts';
export { usualDays } from './kept-snapshots.ts';
export type { Moment } from './kept-snapshots.ts';
export { startNode } from './node.ts';
export type { RunningNode } from './node.ts';
export { openObjectStore } from './object-store.ts';
export type { ObjectStore, ObjectStoreSettings } from './object-store.ts';
export { openService } from './open-service.ts';
export type { Service } from './open-service.ts';
export { createPlacement } from './placement.ts';
export type { Placement } from './placement.ts';
export { readServiceLimits, setServiceLimits } from './service-limits.ts';
export { exportVault, importVault, restoreAsNew, restoreInPlace } from './restore-vault.ts';
export { inviteIntoVault } from './service-invitations.ts';
export { createServiceToken } from './service-tokens.ts';
export {
  drainNode,
  migrateService,
  moveVault,
  registerVault,
  removeVault,
  showService,
} from './vault-registry.ts';
