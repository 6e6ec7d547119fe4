// You grant access to programs, also while others register theirs: a client that was just registered is not evicted by a flood of registrations.
import { broken, failed, held, newVault, serve, sleep } from './lib/world.mjs';

await newVault();
const service = await serve({}, ['--public', 'https://notes.example.org']);
const register = (name, address) =>
  fetch(`${service.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({
      client_name: name,
      redirect_uris: ['https://client.example/cb'],
      token_endpoint_auth_method: 'none',
    }),
  });
const client = await (await register('honest', '203.0.113.1')).json();
const authorize = () =>
  fetch(
    `${service.url}/oauth/authorize?${new URLSearchParams({
      client_id: client.client_id,
      response_type: 'code',
      redirect_uri: 'https://client.example/cb',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
      state: 'x',
    })}`,
    { redirect: 'manual' },
  );
const before = await authorize();
if (before.status !== 303) failed(`the honest client is answered with ${before.status}`);
// The user reads the consent page. Records have a resolution of one second.
await sleep(2_500);
let made = 0;
// First from the same address, then from many.
for (let i = 0; i < 1_300; i += 10) {
  const address = i < 260 ? '203.0.113.1' : `198.51.100.${i % 200}`;
  const responses = await Promise.all(Array.from({ length: 10 }, () => register('stranger', address)));
  made += responses.filter(({ status }) => status === 201).length;
}
const after = await authorize();
if (after.status !== 303)
  broken(
    `after ${made} other registrations the client is unknown: ${after.status} ${(await after.text()).trim().slice(0, 80)}`,
  );
held();
