import { createJournal } from '../../packages/vault/src/changes/journal.ts';
import { changesDatabase } from '../changes-database.ts';
import { journalContract } from './journal-contract.ts';

journalContract('SQLite', async () => {
  const database = changesDatabase();
  return { journal: createJournal(database), reopen: async () => createJournal(database) };
});
