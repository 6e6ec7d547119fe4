import {
  latestJournalMigrations,
  outsideMigrations,
  provenanceMigrations,
  takingMigrations,
} from './journal.ts';
import { replacedFilesMigrations } from './look-back.ts';

/** After those of the journal, in the order in which they were added; between the two lie those of other rooms. */
export const latestChangesMigrations = [
  ...replacedFilesMigrations,
  ...provenanceMigrations,
  ...takingMigrations,
  ...latestJournalMigrations,
  ...outsideMigrations,
] as const;
