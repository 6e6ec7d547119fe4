export type { StoredFile } from './file-store.ts';
export { createQueueTables, queueMigrations, splitInput } from './migrations.ts';
export type { Migration } from './migrations.ts';
export { nextChange } from './next-change.ts';
export type { Again, QueuedUpdate, Turn, UpdateQueue } from './port.ts';
export { runQueue } from './run-queue.ts';
export type { Attempt, QueueRunner, Work } from './run-queue.ts';
export { createSqliteQueue } from './sqlite-queue.ts';
export { writeUnsynced } from './write-unsynced.ts';
