// What unauthenticated callers can store is bounded: assertions that expire in decades, from 1,200 addresses, leave no record behind.
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { broken, failed, held, newVault, serve, world } from './lib/world.mjs';

const origin = 'https://notes.example.org';
await newVault();
const service = await serve({}, ['--public', origin]);
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'ES256', use: 'sig' };
const registered = await fetch(`${service.url}/oauth/register`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    client_name: 'x',
    redirect_uris: ['https://evil.example/cb'],
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [jwk] },
  }),
});
const client = await registered.json();
if (registered.status !== 201) failed(`registration: ${registered.status} ${JSON.stringify(client)}`);
const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
const inTheYear2096 = 4_000_000_000;
const assertion = (exp) => {
  const claims = { iss: client.client_id, sub: client.client_id, aud: origin, jti: randomUUID(), exp };
  const text = `${encode({ alg: 'ES256', kid: 'k' })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
};
const ask = async (exp, address) => {
  const response = await fetch(`${service.url}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address },
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: 'none',
      client_id: client.client_id,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion(exp),
    }),
  });
  return `${response.status} ${(await response.json()).error}`;
};
// An assertion of one minute is accepted, so the others are refused for their expiry alone.
const ordinary = await ask(Math.floor(Date.now() / 1_000) + 60, '203.0.113.1');
if (ordinary !== '400 invalid_grant') failed(`an ordinary assertion is answered with ${ordinary}`);
const answers = new Map();
for (let i = 0; i < 1_200; i += 10)
  for (const answer of await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      ask(inTheYear2096, `198.51.${Math.floor(i / 200)}.${(i + n) % 200}`),
    ),
  ))
    answers.set(answer, (answers.get(answer) ?? 0) + 1);
await service.stop();
let rows = 0;
for (const entry of readdirSync(join(world, 'state'), { withFileTypes: true, recursive: true })) {
  if (!entry.isFile() || !/\.(?:db|sqlite3?)$/.test(entry.name)) continue;
  const database = new DatabaseSync(join(entry.parentPath, entry.name), { readOnly: true });
  const hasTable = database.prepare("select 1 from sqlite_master where name = 'oauth'").get() !== undefined;
  if (hasTable)
    rows += database
      .prepare("select count(*) n from oauth where model = 'ReplayDetection' and until > 3900000000")
      .get().n;
  database.close();
}
if (rows > 0)
  broken(
    `${rows} rows stay until the year 2096 (${[...answers].map(([what, n]) => `${n} × ${what}`).join(', ')})`,
  );
held();
