// A passkey in software, and signing in with it, at a service whose public address is `origin`.
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { browser } from './world.mjs';

export const origin = 'https://notes.example.org';
const base = '/api/vaults/default';

const sha256 = (data) => createHash('sha256').update(data).digest();

function cborHead(major, n) {
  if (n < 24) return Buffer.from([(major << 5) | n]);
  return n < 256 ? Buffer.from([(major << 5) | 24, n]) : Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
}

function cbor(value) {
  if (typeof value === 'number') return value >= 0 ? cborHead(0, value) : cborHead(1, -1 - value);
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value]);
  if (typeof value === 'string')
    return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  return Buffer.concat([cborHead(5, value.size), ...[...value].flat().map(cbor)]);
}

/** A new key pair under this credential id; `create` and `get` are the answers of a browser to a challenge. */
export function authenticator(id = randomBytes(32)) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const coseKey = cbor(
    new Map([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );
  const relyingParty = sha256(new URL(origin).hostname);
  const clientData = (type, challenge) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const name = id.toString('base64url');
  const answer = (response) => ({
    id: name,
    rawId: name,
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });
  return {
    name,
    create(challenge) {
      const length = Buffer.from([id.length >> 8, id.length & 255]);
      const data = Buffer.concat([relyingParty, Buffer.from([0x45]), Buffer.alloc(20), length, id, coseKey]);
      const object = new Map([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', data],
      ]);
      return answer({
        clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: cbor(object).toString('base64url'),
        transports: [],
      });
    },
    get(challenge) {
      const data = Buffer.concat([relyingParty, Buffer.from([0x05]), Buffer.alloc(4)]);
      const json = clientData('webauthn.get', challenge);
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(json)]))
        .sign(privateKey);
      return answer({
        clientDataJSON: json.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      });
    },
  };
}

/** Registers a passkey for the user of this browser, and returns the status. */
export async function register(call, key, name) {
  const options = await call('POST', `${base}/passkeys/options`);
  const added = await call('POST', `${base}/passkeys`, { name, made: key.create(options.body.challenge) });
  return added.status;
}

/** Signs in with a passkey and returns the status: 204 if it opened a session. */
export async function signIn(service, key) {
  const stranger = browser(service, '');
  const options = await stranger('POST', '/api/sign-in/passkey/options');
  return (await stranger('POST', '/api/sign-in/passkey', key.get(options.body.challenge))).status;
}
