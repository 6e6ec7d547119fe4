import type { Database } from 'better-sqlite3';
import type { ProposalStore, StoredProposal } from '../agents/index.ts';

type Row = { number: number; key: string; proposal: string; answer: StoredProposal['answer'] };

/** Stores proposals in the durable database. */
export function createProposalStore(database: Database): ProposalStore {
  const insert = database.prepare('insert into proposals values (@item, @number, @key, @proposal, null)');
  const removeItem = database.prepare('delete from proposals where item = ?');
  const select = database.prepare(
    'select number, key, proposal, answer from proposals where item = ? order by number',
  );
  const setAnswer = database.prepare(
    'update proposals set answer = @answer where item = @item and number = @number',
  );
  const decline = database.prepare(
    'insert or ignore into declined_proposals select key from proposals where item = ? and number = ?',
  );
  const selectDeclined = database.prepare('select 1 from declined_proposals where key = ?');
  const removeOthers = database.prepare(
    'delete from proposals where item not in (select value from json_each(?))',
  );
  const put = database.transaction<ProposalStore['put']>((item, proposals) => {
    removeItem.run(item);
    for (const { number, key, ...proposal } of proposals)
      insert.run({ item, number, key, proposal: JSON.stringify(proposal) });
  });
  const answer = database.transaction<ProposalStore['answer']>((item, number, given) => {
    setAnswer.run({ item, number, answer: given });
    if (given === 'no') decline.run(item, number);
  });
  return {
    put: (...args) => put.immediate(...args),
    list: (item) =>
      (select.all(item) as Row[]).map(({ proposal, ...row }) => ({
        ...(JSON.parse(proposal) as Pick<StoredProposal, 'kind' | 'lines'>),
        ...row,
      })),
    answer: (...args) => answer.immediate(...args),
    isDeclined: (key) => selectDeclined.get(key) !== undefined,
    keepOnly: (items) => void removeOthers.run(JSON.stringify(items)),
  };
}
