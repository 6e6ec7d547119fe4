import { z } from 'zod';
import { api } from '../../contract/index.ts';
import { asJson, base } from './http.ts';
import type { Http } from './http.ts';

/** What a browser hands to an authenticator, whatever it is. */
const anything = z.looseObject({});

/** Signs the user in and out; passkeys and one-time links. */
export function createSignInApi({ request, ask, get, post, remove }: Http) {
  return {
    ways: (signal?: AbortSignal) => ask(api.signInWays, '/api/sign-in', signal && { signal }),
    passkeyToShow: () => ask(anything, '/api/sign-in/passkey/options', { method: 'POST' }),
    showPasskey: (shown: object) => request('/api/sign-in/passkey', asJson('POST', shown)),
    passkeys: (signal?: AbortSignal) => get(api.passkeys, '/passkeys', signal),
    passkeyToMake: () => post(anything, '/passkeys/options'),
    addPasskey: (name: string, made: object) => request(`${base}/passkeys`, asJson('POST', { name, made })),
    removePasskey: (one: string) => remove(`/passkeys/${encodeURIComponent(one)}`),
    /** An address that signs a browser in, once. */
    createLink: () => post(api.link, '/links'),
    signOut: () => remove('/sessions'),
  };
}
