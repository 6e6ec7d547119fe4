import type { z } from 'zod';
import { api } from '../../contract/index.ts';
import type { ConflictChoice } from './history-api.ts';
import { apiBase } from './http.ts';
import type { Http } from './http.ts';

export type Attachment = { name: string; file: File };
export type UpdateRecord = z.output<typeof api.update>;
export type DocumentInfo = z.output<typeof api.documentInfo>;

/** Sends updates to be filed, reads their state, and approves or rejects held ones. */
export function createUpdatesApi({ ask, get, post }: Http) {
  const id = encodeURIComponent;
  return {
    list: (signal?: AbortSignal) => get(api.updates, '/updates?limit=60', signal),
    get: (one: string, signal?: AbortSignal) => get(api.updateWithDiff, `/updates/${id(one)}`, signal),
    /** Checks whether a document can be filed, and describes it. */
    inspectDocument(file: File, name: string) {
      const form = new FormData();
      form.set('file', file, name);
      return ask(api.documentInfo, `${apiBase}/documents`, { method: 'POST', body: form });
    },
    add(text: string, attachments: readonly Attachment[], key: string, asNote: boolean) {
      const form = new FormData();
      form.set('text', text);
      form.set('key', key);
      if (asNote) form.set('asNote', 'true');
      for (const { name, file } of attachments) form.append('files', file, name);
      return ask(api.updateAccepted, `${apiBase}/updates`, { method: 'POST', body: form });
    },
    retry: (one: string) => post(api.updateStateChange, `/updates/${id(one)}/retry`),
    cancel: (one: string) =>
      ask(api.updateStateChange, `${apiBase}/updates/${id(one)}`, { method: 'DELETE' }),
    approve: (one: string, conflict?: ConflictChoice) =>
      post(api.changeDecision, `/updates/${id(one)}/approve`, { conflict }),
    reject: (one: string) => post(api.changeDecision, `/updates/${id(one)}/reject`),
    undo: (one: string, conflict?: ConflictChoice) =>
      post(api.changeDecision, `/updates/${id(one)}/undo`, { conflict }),
  };
}
