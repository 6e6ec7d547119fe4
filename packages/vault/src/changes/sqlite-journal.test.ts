import { createJournal } from './journal.ts';
import { changesDatabase } from '../../../../test/changes-database.ts';
import { journalContract } from './journal.contract.ts';

journalContract('SQLite', async () => {
  const database = changesDatabase();
  return { journal: createJournal(database), reopen: async () => createJournal(database) };
});
