import type { z } from 'zod';
import { api } from '../../contract/index.ts';
import { asJson, apiBase } from './http.ts';
import type { Http } from './http.ts';

type Role = z.input<typeof api.invitation>['role'];

/** The members of a shared vault. */
export function createPeopleApi({ request, get, post, remove }: Http) {
  const id = encodeURIComponent;
  return {
    list: (signal?: AbortSignal) => get(api.people, '/people', signal),
    invite: (name: string, role: Role) => post(api.createdInvitation, '/people', { name, role }),
    setRole: (one: string, role: Role) => request(`${apiBase}/people/${id(one)}`, asJson('PUT', { role })),
    remove: (one: string) => remove(`/people/${id(one)}`),
  };
}
