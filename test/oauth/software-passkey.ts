import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

/** A WebAuthn authenticator in software, for the public URL of a vault. */
export type SoftwarePasskey = {
  /** The credential id, base64url. */
  id: string;
  /** The response to a registration challenge. */
  create(challenge: string): object;
  /** The response to an authentication challenge. */
  get(challenge: string): object;
};

const userPresentAndVerified = 0x05;
const attestedData = 0x40;

export function createSoftwarePasskey(url: string, credentialId = randomBytes(32)): SoftwarePasskey {
  const { origin, hostname } = new URL(url);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const coseKey = encodeCbor(
    new Map<number, CborValue>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );
  const id = credentialId.toString('base64url');
  const clientData = (type: string, challenge: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authenticatorData = (flags: number, ...rest: Buffer[]): Buffer =>
    Buffer.concat([sha256(Buffer.from(hostname)), Buffer.from([flags]), Buffer.alloc(4), ...rest]);
  const respond = (response: Record<string, Buffer>): object => ({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(
      Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')]),
    ),
  });
  return {
    id,
    create(challenge) {
      const length = Buffer.from([credentialId.length >> 8, credentialId.length & 255]);
      const authData = authenticatorData(
        userPresentAndVerified | attestedData,
        Buffer.alloc(16),
        length,
        credentialId,
        coseKey,
      );
      const attestationObject = encodeCbor(
        new Map<string, CborValue>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]),
      );
      return respond({ clientDataJSON: clientData('webauthn.create', challenge), attestationObject });
    },
    get(challenge) {
      const data = authenticatorData(userPresentAndVerified);
      const clientDataJSON = clientData('webauthn.get', challenge);
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(clientDataJSON)]))
        .sign(privateKey);
      return respond({ clientDataJSON, authenticatorData: data, signature });
    },
  };
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

type CborValue = number | string | Buffer | Map<number | string, CborValue>;

function encodeCbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value >= 0 ? cborHead(0, value) : cborHead(1, -1 - value);
  if (typeof value === 'string')
    return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value]);
  const entries = [...value].flatMap(([key, each]) => [encodeCbor(key), encodeCbor(each)]);
  return Buffer.concat([cborHead(5, value.size), ...entries]);
}

function cborHead(major: number, argument: number): Buffer {
  const type = major << 5;
  if (argument < 24) return Buffer.from([type | argument]);
  return argument < 256
    ? Buffer.from([type | 24, argument])
    : Buffer.from([type | 25, argument >> 8, argument & 255]);
}
