export { createCommitLog, readLog } from './commit-log.ts';
export { openHosted } from './hosted-vault.ts';
export type { HostedVault } from './hosted-vault.ts';
export { openObjectStore } from './object-store.ts';
export type { ObjectStore } from './object-store.ts';
export { createPlacement } from './placement.ts';
export type { Placement } from './placement.ts';
export { migrateService, registerVault } from './vault-registry.ts';
