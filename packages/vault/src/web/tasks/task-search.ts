import { api } from '../../contract/index.ts';
import type { TaskQuery } from '../api/notes-api.ts';

type TaskSearch = Pick<TaskQuery, 'status' | 'folder' | 'due'> & { view?: 'board' | undefined };

const { status, due } = api.tasksQuery.shape;

/** Parses the search parameters of the tasks page. Invalid values are dropped. */
export function parseTaskSearch(search: Record<string, unknown>): TaskSearch {
  const { folder } = search;
  return {
    status: status.safeParse(search['status']).data,
    folder: typeof folder === 'string' && folder !== '' ? folder : undefined,
    due: due.safeParse(search['due']).data,
    view: search['view'] === 'board' ? 'board' : undefined,
  };
}
