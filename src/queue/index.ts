export type { Again, QueuedUpdate, Turn, UpdateQueue } from './port.ts';
export { runQueue } from './run-queue.ts';
export type { Attempt, QueueRunner, Work } from './run-queue.ts';
export { createSqliteQueue, laterQueueMigrations, queueMigrations } from './sqlite-queue.ts';
