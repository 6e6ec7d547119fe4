// What callers that are not signed in can store is bounded per address, however they spell the path of the request.
import { broken, failed, held, newVault, serve } from './lib/world.mjs';

await newVault();
const service = await serve({}, ['--public', 'https://notes.example.org']);
const register = async (path, address) => {
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({
      client_name: 'x',
      redirect_uris: ['https://evil.example/cb'],
      token_endpoint_auth_method: 'none',
    }),
  });
  await response.arrayBuffer();
  return response.status;
};
const count = async (path, address, requests) => {
  let stored = 0;
  for (let i = 0; i < requests; i += 10)
    for (const status of await Promise.all(Array.from({ length: 10 }, () => register(path, address))))
      if (status === 201) stored += 1;
  return stored;
};
const ordinary = await count('/oauth/register', '203.0.113.1', 100);
if (ordinary > 60) failed(`one address stores ${ordinary} clients under the ordinary path`);
const stored = {};
const started = Date.now();
stored['/oauth/Register'] = await count('/oauth/Register', '203.0.113.2', 300);
stored['/oauth/register/'] = await count('/oauth/register/', '203.0.113.3', 300);
if (Object.values(stored).every((each) => each <= 60)) held();
// One address uses up the records of everyone.
let total = 0;
while (Date.now() - started < 75_000) {
  const more = await count('/oauth/Register', '203.0.113.2', 200);
  total += more;
  if ((await register('/oauth/register', '198.51.100.7')) === 429)
    broken(
      `one address registers ${stored['/oauth/Register'] + total} clients in ${Math.round((Date.now() - started) / 1000)} s (limit: 50 in ten minutes), then another address is refused with 429`,
    );
}
broken(`one address stores ${JSON.stringify(stored)} clients where 50 are allowed`);
