import { z } from 'zod';
import { api } from '../../contract/index.ts';
import { asJson, apiBase } from './http.ts';
import type { Http } from './http.ts';

/** WebAuthn options. The page passes them to the browser unread. */
const looseObject = z.looseObject({});

/** Signs the user in and out, and manages passkeys and one-time links. */
export function createSignInApi({ request, ask, get, post, remove }: Http) {
  return {
    methods: (signal?: AbortSignal) => ask(api.signInMethods, '/api/sign-in', signal && { signal }),
    passkeyToShow: () => ask(looseObject, '/api/sign-in/passkey/options', { method: 'POST' }),
    showPasskey: (shown: object) => request('/api/sign-in/passkey', asJson('POST', shown)),
    passkeys: (signal?: AbortSignal) => get(api.passkeys, '/passkeys', signal),
    passkeyToMake: () => post(looseObject, '/passkeys/options'),
    addPasskey: (name: string, made: object) =>
      request(`${apiBase}/passkeys`, asJson('POST', { name, made })),
    removePasskey: (one: string) => remove(`/passkeys/${encodeURIComponent(one)}`),
    /** Creates a one-time link that signs a browser in. */
    createLink: () => post(api.link, '/links'),
    signOut: () => remove('/sessions'),
  };
}
