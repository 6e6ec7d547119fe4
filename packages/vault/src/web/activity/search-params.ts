import { api } from '../../contract/index.ts';
import type { ChangeFilter } from '../api/history-api.ts';

type ActivitySearch = ChangeFilter & { view?: 'changes' | 'updates' | undefined };

const { who, name, folder, kind, day } = api.historyQuery.shape;

/** Parses the search parameters of the activity page. Invalid values are dropped. */
export function parseActivitySearch(search: Record<string, unknown>): ActivitySearch {
  return {
    who: who.safeParse(search['who']).data,
    name: name.safeParse(search['name']).data,
    folder: folder.safeParse(search['folder']).data,
    kind: kind.safeParse(search['kind']).data,
    day: day.safeParse(search['day']).data,
    view: search['view'] === 'updates' ? 'updates' : undefined,
  };
}
