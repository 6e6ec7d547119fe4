import type { z } from 'zod';
import { api } from '../../contract/index.ts';
import { asJson } from './http.ts';
import type { Http } from './http.ts';

export type TokenScope = z.input<typeof api.tokenRequest>['scope'];

/** The programs that may use the vault: AI clients on this machine, holders of a token, and remote apps (OAuth). */
export function createProgramsApi({ ask, get, post, remove }: Http) {
  const id = encodeURIComponent;
  return {
    clients: (signal?: AbortSignal) => get(api.clients, '/clients', signal),
    brief: (project: string | null, signal?: AbortSignal) =>
      get(api.brief, project === null ? '/brief' : `/brief?project=${id(project)}`, signal),
    tokens: (signal?: AbortSignal) => get(api.tokens, '/tokens', signal),
    createToken: (name: string, scope: TokenScope) => post(api.createdToken, '/tokens', { name, scope }),
    revokeToken: (one: string) => remove(`/tokens/${id(one)}`),
    grants: (signal?: AbortSignal) => get(api.grants, '/grants', signal),
    revokeGrant: (one: string) => remove(`/grants/${id(one)}`),
    consent: (one: string, signal?: AbortSignal) =>
      ask(api.consentRequest, `/consent/${id(one)}/request`, signal && { signal }),
    /** Grants this scope, or denies access if it is null. Returns the URL to redirect the browser to. */
    decideConsent: (one: string, scope: 'read' | 'write' | null) =>
      ask(api.link, `/consent/${id(one)}/decision`, asJson('POST', { scope })),
  };
}
