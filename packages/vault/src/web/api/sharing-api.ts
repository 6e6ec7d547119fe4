import { api } from '../../contract/index.ts';
import type { Http } from './http.ts';

/** The links under which a note can be read without signing in. */
export function createSharingApi({ get, post, remove }: Http) {
  return {
    list: (signal?: AbortSignal) => get(api.shareLinks, '/share-links', signal),
    create: (path: string, days: number, confirm: boolean) =>
      post(api.createdShareLink, '/share-links', { path, days, confirm }),
    revoke: (id: string) => remove(`/share-links/${encodeURIComponent(id)}`),
  };
}
