export type { QueuedUpdate, UpdateQueue } from './port.ts';
export { runQueue } from './run-queue.ts';
export type { Attempt, QueueRunner } from './run-queue.ts';
export { createSqliteQueue, queueMigrations } from './sqlite-queue.ts';
