import type { z } from 'zod';
import { api } from '../../contract/index.ts';
import { createAnswersApi } from './answers-api.ts';
import { createFilesApi } from './files-api.ts';
import { createForgetApi } from './forget-api.ts';
import { createHistoryApi } from './history-api.ts';
import { createHttp } from './http.ts';
import { createImportsApi } from './imports-api.ts';
import { createInboxApi } from './inbox-api.ts';
import { createNotesApi } from './notes-api.ts';
import { createPeopleApi } from './people-api.ts';
import { createProgramsApi } from './programs-api.ts';
import { createSettingsApi } from './settings-api.ts';
import { createSignInApi } from './sign-in-api.ts';
import { createUpdatesApi } from './updates-api.ts';

export type Status = z.output<typeof api.status>;
export type Api = ReturnType<typeof createApi>;

/** The HTTP API of one vault, by subject. */
export function createApi(send: (path: string, init?: RequestInit) => Promise<Response>) {
  const http = createHttp(send);
  return {
    status: (signal?: AbortSignal) => http.get(api.status, '/status', signal),
    files: createFilesApi(http),
    notes: createNotesApi(http),
    forget: createForgetApi(http),
    history: createHistoryApi(http),
    updates: createUpdatesApi(http),
    imports: createImportsApi(http),
    inbox: createInboxApi(http),
    answers: createAnswersApi(http),
    settings: createSettingsApi(http),
    programs: createProgramsApi(http),
    people: createPeopleApi(http),
    signIn: createSignInApi(http),
  };
}
