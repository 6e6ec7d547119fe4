export { createCommitLog, readLog } from './commit-log.ts';
export { exportVault, openHosted } from './hosted-vault.ts';
export type { HostedVault } from './hosted-vault.ts';
export { startNode } from './node.ts';
export type { RunningNode } from './node.ts';
export { openObjectStore } from './object-store.ts';
export type { ObjectStore, ObjectStoreSettings } from './object-store.ts';
export { openService } from './open-service.ts';
export type { Service } from './open-service.ts';
export { createPlacement } from './placement.ts';
export type { Placement } from './placement.ts';
export { readServiceLimits, setServiceLimits } from './service-limits.ts';
export { createServiceToken } from './service-tokens.ts';
export {
  drainNode,
  migrateService,
  moveVault,
  registerVault,
  removeVault,
  showService,
} from './vault-registry.ts';
