export type { StoredFile } from './file-store.ts';
export { createQueueTables, queueMigrations, splitInput } from './migrations.ts';
export type { Migration } from './migrations.ts';
export { nextChange } from './next-change.ts';
export type {
  AcceptedSecrets,
  Claim,
  RetryPolicy,
  QueuedUpdate,
  NextUpdate,
  UpdateQueue,
} from './update-queue.ts';
export { startQueueRunner } from './queue-runner.ts';
export type { QueueRunner } from './queue-runner.ts';
export { runClaim } from './run-claim.ts';
export type { AttemptResult, UpdateJob } from './run-claim.ts';
export { createSqliteQueue } from './sqlite-queue.ts';
export { writeUnsynced } from './write-unsynced.ts';
