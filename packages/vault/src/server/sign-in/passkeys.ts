import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { OAuthStore } from '../oauth/oauth-store.ts';
import { createSealedValues } from './sealed-values.ts';

export type Passkeys = {
  list(memberId: string | null): { id: string; name: string; createdAt: number }[];
  /** Returns the options for `navigator.credentials.create`. They name only the passkeys of this member. */
  createRegistrationOptions(memberId: string | null): Promise<object>;
  /** Stores a new passkey; false if the response is invalid, its challenge has expired or its credential id exists. */
  register(memberId: string | null, name: string, made: object): Promise<boolean>;
  remove(memberId: string | null, id: string): boolean;
  /** Whether any member has a passkey. */
  hasAny(): boolean;
  /** Returns the options for `navigator.credentials.get`. */
  createAuthenticationOptions(): Promise<object>;
  /** Returns the member of a verified passkey, null for the owner; undefined if the verification fails. */
  verify(shown: object): Promise<string | null | undefined>;
};

type StoredPasskey = {
  person?: string | null;
  name: string;
  publicKey: string;
  counter: number;
  transports?: string[];
};

const model = 'Passkey';
const challengeTtlMs = 5 * 60_000;
/** EdDSA, ES256, RS256. */
const algorithms = [-8, -7, -257];

/** Passkeys for the public URL of the server. */
export function createPasskeys(url: string, records: () => OAuthStore): Passkeys {
  const { hostname: rpID, origin, pathname } = new URL(url);
  const expected = { expectedOrigin: origin, expectedRPID: rpID, requireUserVerification: true };
  const challenges = createSealedValues<true>(challengeTtlMs);
  const all = (): { id: string; createdAt: number; payload: StoredPasskey }[] =>
    records()
      .listPermanent(model)
      .map((each) => ({ ...each, payload: each.payload as StoredPasskey }));
  const of = (memberId: string | null) =>
    all().filter(({ payload }) => (payload.person ?? null) === memberId);
  const createChallenge = () => Buffer.from(challenges.seal(true), 'base64url');
  /** Checks the challenge of a response; `consume` ends its validity once the response is verified. */
  const expectChallenge = () => {
    let shown = '';
    return {
      expectedChallenge: (challenge: string): boolean => {
        shown = challenge;
        return challenges.open(challenge) !== null;
      },
      consume: () => challenges.consume(shown),
    };
  };
  return {
    hasAny: () => all().length > 0,
    list: (memberId) =>
      of(memberId).map(({ id, createdAt, payload }) => ({ id, name: payload.name, createdAt })),
    createRegistrationOptions: (memberId) =>
      generateRegistrationOptions({
        rpName: 'Keepsake',
        rpID,
        challenge: createChallenge(),
        userName: `${rpID}${pathname}`.replace(/\/$/, ''),
        excludeCredentials: of(memberId).map(({ id }) => ({ id })),
        supportedAlgorithmIDs: algorithms,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      }),
    async register(memberId, name, made) {
      const { expectedChallenge, consume } = expectChallenge();
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        ...expected,
        supportedAlgorithmIDs: algorithms,
        response: made as RegistrationResponseJSON,
        expectedChallenge,
      }).catch(() => ({ verified: false, registrationInfo: undefined }));
      if (!verified || registrationInfo === undefined || !consume()) return false;
      const { id, publicKey, counter, transports } = registrationInfo.credential;
      // The client chooses the id, so it must not replace the passkey of another member.
      if (all().some((each) => each.id === id)) return false;
      const kept = {
        person: memberId,
        name,
        publicKey: Buffer.from(publicKey).toString('base64url'),
        counter,
        transports,
      };
      await records().adapterFor(model).upsert(id, kept);
      return true;
    },
    remove: (memberId, id) => of(memberId).some((each) => each.id === id) && records().remove(model, id),
    createAuthenticationOptions: () =>
      generateAuthenticationOptions({ rpID, challenge: createChallenge(), userVerification: 'required' }),
    async verify(shown) {
      const { expectedChallenge, consume } = expectChallenge();
      const response = shown as AuthenticationResponseJSON;
      const found = all().find(({ id }) => id === response.id);
      if (found === undefined) return undefined;
      const { publicKey, counter, ...rest } = found.payload;
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        ...expected,
        response,
        expectedChallenge,
        credential: { id: found.id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter },
      }).catch(() => ({ verified: false, authenticationInfo: undefined }));
      if (!verified || authenticationInfo === undefined || !consume()) return undefined;
      // The passkey may have been removed during the verification; storing its counter would bring it back.
      if (!all().some(({ id, payload }) => id === found.id && payload.publicKey === publicKey))
        return undefined;
      const kept = { ...rest, publicKey, counter: authenticationInfo.newCounter };
      await records().adapterFor(model).upsert(found.id, kept);
      return found.payload.person ?? null;
    },
  };
}
