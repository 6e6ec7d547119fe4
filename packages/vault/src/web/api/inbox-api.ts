import type { z } from 'zod';
import { api } from '../../contract/index.ts';
import type { InboxChoice } from '../../contract/index.ts';
import type { Http } from './http.ts';
import type { Attachment } from './updates-api.ts';

export type InboxItem = z.output<typeof api.inbox>['waiting'][number];

/** The questions and held changes that need a decision from the user. */
export function createInboxApi({ get, post }: Http) {
  return {
    list: (signal?: AbortSignal) => get(api.inbox, '/inbox', signal),
    async answer(
      item: string,
      text: string,
      attachments: readonly Attachment[],
      key: string,
      choice?: InboxChoice,
    ) {
      const files = await Promise.all(
        attachments.map(async ({ name, file }) => ({ name, data: await toBase64(file) })),
      );
      return post(api.updateAccepted, `/inbox/${encodeURIComponent(item)}/answer`, {
        text,
        files,
        key,
        choice,
      });
    },
  };
}

async function toBase64(file: File): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('cannot read the file')));
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(',') + 1);
}
