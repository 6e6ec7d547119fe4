import type { z } from 'zod';
import { api } from '../../contract/index.ts';
import type { ConflictChoice } from './history-api.ts';
import { base } from './http.ts';
import type { Http } from './http.ts';

export type Attachment = { name: string; file: File };
export type UpdateRecord = z.output<typeof api.update>;
export type DocumentLook = z.output<typeof api.documentLook>;

/** Sends updates to be filed, follows what becomes of them, and decides about those that are held. */
export function createUpdatesApi({ ask, get, post }: Http) {
  const id = encodeURIComponent;
  return {
    list: (signal?: AbortSignal) => get(api.updates, '/updates?limit=60', signal),
    get: (one: string, signal?: AbortSignal) => get(api.updateWithDiff, `/updates/${id(one)}`, signal),
    /** Whether a document can be filed; what it is then. */
    lookAt(file: File, name: string) {
      const form = new FormData();
      form.set('file', file, name);
      return ask(api.documentLook, `${base}/documents`, { method: 'POST', body: form });
    },
    add(text: string, attachments: readonly Attachment[], key: string) {
      const form = new FormData();
      form.set('text', text);
      form.set('key', key);
      for (const { name, file } of attachments) form.append('files', file, name);
      return ask(api.accepted, `${base}/updates`, { method: 'POST', body: form });
    },
    retry: (one: string) => post(api.moved, `/updates/${id(one)}/retry`),
    cancel: (one: string) => ask(api.moved, `${base}/updates/${id(one)}`, { method: 'DELETE' }),
    approve: (one: string, conflict?: ConflictChoice) =>
      post(api.decided, `/updates/${id(one)}/approve`, { conflict }),
    reject: (one: string) => post(api.decided, `/updates/${id(one)}/reject`),
    undo: (one: string, conflict?: ConflictChoice) =>
      post(api.decided, `/updates/${id(one)}/undo`, { conflict }),
  };
}
