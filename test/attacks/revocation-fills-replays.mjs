// Callers that are not signed in keep connected programs working: assertions of one self-registered client at /oauth/revoke do not lock out others.
// Limit: 240 s
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { broken, failed, held, newVault, serve } from './lib/world.mjs';

const origin = 'https://notes.example.org';
await newVault();
const service = await serve({}, ['--public', origin]);
async function registerClient(address) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'ES256', use: 'sig' };
  const response = await fetch(`${service.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({
      client_name: 'x',
      redirect_uris: ['https://evil.example/cb'],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [jwk] },
    }),
  });
  if (response.status !== 201) failed(`registration: ${response.status}`);
  return { id: (await response.json()).client_id, privateKey, address };
}
const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
const assertion = ({ id, privateKey }) => {
  const exp = Math.floor(Date.now() / 1_000) + 300;
  const claims = { iss: id, sub: id, aud: origin, jti: randomUUID(), exp };
  const text = `${encode({ alg: 'ES256', kid: 'k' })}.${encode(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
};
const ask = async (client, path, fields) => {
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': client.address },
    body: new URLSearchParams({
      ...fields,
      client_id: client.id,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion(client),
    }),
  });
  const body = await response.text();
  return { status: response.status, body };
};
const refresh = (client) =>
  ask(client, '/oauth/token', { grant_type: 'refresh_token', refresh_token: 'none' });
const yours = await registerClient('198.51.100.7');
const evil = await registerClient('203.0.113.2');
// Its refresh token is unknown, but the client is authenticated first.
const before = await refresh(yours);
if (before.status !== 400 || !before.body.includes('invalid_grant'))
  failed(`before: ${before.status} ${before.body}`);
const started = Date.now();
const seen = new Map();
let accepted = 0;
// An honest program refreshes rarely: its own requests are limited, too.
const checkIntervalMs = 5_000;
let checkedAt = 0;
while (Date.now() - started < 200_000) {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => ask(evil, '/oauth/revoke', { token: 'x' })),
  );
  for (const { status } of answers) seen.set(status, (seen.get(status) ?? 0) + 1);
  accepted = seen.get(200) ?? 0;
  const isRefused = answers.some(({ status }) => status === 429 || status === 503);
  if ((isRefused || accepted % 1_000 < 20) && Date.now() - checkedAt >= checkIntervalMs) {
    checkedAt = Date.now();
    const now = await refresh(yours);
    if (!now.body.includes('invalid_grant'))
      broken(
        `after ${accepted} assertions from one address in ${Math.round((Date.now() - started) / 1000)} s, a program at another address that refreshes its token gets ${now.status} ${now.body.slice(0, 90)}`,
      );
  }
}
held();
