import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Records } from '../oauth/records.ts';
import { createOnce } from './once.ts';

export type Passkeys = {
  list(person: string | null): { id: string; name: string; createdAt: number }[];
  /** What a browser needs to make one. */
  offer(): Promise<object>;
  /** False when it is not what was offered, or was offered too long ago. */
  add(person: string | null, name: string, made: object): Promise<boolean>;
  remove(person: string | null, id: string): boolean;
  /** Whether there is any, of whomever. */
  hasSome(): boolean;
  /** What a browser needs to show one. */
  ask(): Promise<object>;
  /** Whose it is; undefined for nobody's. */
  check(shown: object): Promise<string | null | undefined>;
};

type Kept = {
  person?: string | null;
  name: string;
  publicKey: string;
  counter: number;
  transports?: string[];
};

const model = 'Passkey';
const life = 5 * 60_000;
/** EdDSA, ES256, RS256. */
const algorithms = [-8, -7, -257];

/** Passkeys of the person, for the one address under which the server is known. */
export function createPasskeys(url: string, records: () => Records): Passkeys {
  const { hostname: rpID, origin, pathname } = new URL(url);
  const expected = { expectedOrigin: origin, expectedRPID: rpID, requireUserVerification: true };
  const challenges = createOnce<true>(life);
  const all = (): { id: string; madeAt: number; payload: Kept }[] =>
    records()
      .list(model)
      .map((each) => ({ ...each, payload: each.payload as Kept }));
  const of = (person: string | null) => all().filter(({ payload }) => (payload.person ?? null) === person);
  const remember = <Options extends { challenge: string }>(options: Options): Options => {
    challenges.put(options.challenge, true);
    return options;
  };
  const isOurs = (challenge: string): boolean => challenges.take(challenge) !== null;
  return {
    hasSome: () => all().length > 0,
    list: (person) =>
      of(person).map(({ id, madeAt, payload }) => ({ id, name: payload.name, createdAt: madeAt })),
    offer: async () =>
      remember(
        await generateRegistrationOptions({
          rpName: 'Keepsake',
          rpID,
          userName: `${rpID}${pathname}`.replace(/\/$/, ''),
          excludeCredentials: all().map(({ id }) => ({ id })),
          supportedAlgorithmIDs: algorithms,
          authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        }),
      ),
    async add(person, name, made) {
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        ...expected,
        supportedAlgorithmIDs: algorithms,
        response: made as RegistrationResponseJSON,
        expectedChallenge: isOurs,
      }).catch(() => ({ verified: false, registrationInfo: undefined }));
      if (!verified || registrationInfo === undefined) return false;
      const { id, publicKey, counter, transports } = registrationInfo.credential;
      const kept = {
        person,
        name,
        publicKey: Buffer.from(publicKey).toString('base64url'),
        counter,
        transports,
      };
      await records().of(model).upsert(id, kept);
      return true;
    },
    remove: (person, id) => of(person).some((each) => each.id === id) && records().remove(model, id),
    ask: async () => remember(await generateAuthenticationOptions({ rpID, userVerification: 'required' })),
    async check(shown) {
      const response = shown as AuthenticationResponseJSON;
      const found = all().find(({ id }) => id === response.id);
      if (found === undefined) return undefined;
      const { publicKey, counter, ...rest } = found.payload;
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        ...expected,
        response,
        expectedChallenge: isOurs,
        credential: { id: found.id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter },
      }).catch(() => ({ verified: false, authenticationInfo: undefined }));
      if (!verified || authenticationInfo === undefined) return undefined;
      const kept = { ...rest, publicKey, counter: authenticationInfo.newCounter };
      await records().of(model).upsert(found.id, kept);
      return found.payload.person ?? null;
    },
  };
}
