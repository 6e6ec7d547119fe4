import type { Database } from 'better-sqlite3';

/**
 * Writes without waiting for the disk. The write is synced with the next durable write to the same database; until then
 * a power loss may undo it.
 */
export function writeUnsynced<Value>(database: Database, write: () => Value): Value {
  database.pragma('synchronous = NORMAL');
  try {
    return write();
  } finally {
    database.pragma('synchronous = FULL');
  }
}
