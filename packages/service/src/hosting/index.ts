export { confirmAccess, reviewAccess } from './access-review.ts';
export type { AccessReview, ReviewedVault } from './access-review.ts';
export { createCommitLog, readLog } from './commit-log.ts';
export { openHostedVault } from './hosted-vault.ts';
export type { HostedVault } from './hosted-vault.ts';
export { defaultRetentionDays } from './snapshot-retention.ts';
export type { RecoveryTarget } from './snapshot-retention.ts';
export { startNode } from './node.ts';
export type { RunningNode } from './node.ts';
export { openObjectStore } from './object-store.ts';
export type { ObjectStore, ObjectStoreSettings } from './object-store.ts';
export { openServiceContext } from './open-service.ts';
export type { ServiceContext } from './open-service.ts';
export { createPlacement } from './placement.ts';
export type { Placement } from './placement.ts';
export { createRootKey } from './root-key.ts';
export type { RootKey } from './root-key.ts';
export { rotateRootKey } from './rotate-root-key.ts';
export { readServiceLimits, setServiceLimits } from './service-limits.ts';
export { exportVault, importVault, restoreAsNewVault, restoreInPlace } from './restore-vault.ts';
export { createVaultInvitation } from './service-invitations.ts';
export { createServiceToken, removeServiceToken } from './service-tokens.ts';
export {
  drainNode,
  migrateService,
  moveVault,
  registerVault,
  removeVault,
  readServiceStatus,
} from './vault-registry.ts';
