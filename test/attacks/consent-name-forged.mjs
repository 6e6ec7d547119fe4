// The consent page shows the name of a program without control, bidirectional and invisible characters, on one line.
import { broken, failed, held, newVault, openLink, printedLink, serve } from './lib/world.mjs';

await newVault();
const service = await serve({}, ['--public', 'https://notes.example.org']);
const session = await openLink(service, printedLink(service));
const redirect = 'https://evil.example/cb';

async function registerClient(name) {
  const response = await fetch(`${service.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: name,
      redirect_uris: [redirect],
      token_endpoint_auth_method: 'none',
    }),
  });
  return response.status === 201 ? (await response.json()).client_id : null;
}

/** The name that the consent page gets; null if the name is refused. */
async function readShownName(name) {
  const client = await registerClient(name);
  if (client === null) return null;
  const cookies = new Map();
  const go = async (path) => {
    const cookie = [session, ...[...cookies].map(([key, value]) => `${key}=${value}`)].join('; ');
    const headers = { cookie, 'sec-fetch-site': 'same-origin', origin: service.url };
    const response = await fetch(`${service.url}${path}`, { redirect: 'manual', headers });
    for (const each of response.headers.getSetCookie()) {
      const [key, value] = each.split(';')[0].split(/=(.*)/);
      cookies.set(key, value);
    }
    return response;
  };
  const query = new URLSearchParams({
    client_id: client,
    response_type: 'code',
    redirect_uri: redirect,
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
    state: 'x',
  });
  const asked = await go(`/oauth/authorize?${query}`);
  const location = asked.headers.get('location') ?? failed(`authorize is answered with ${asked.status}`);
  const request = await go(`${new URL(location, 'https://notes.example.org').pathname}/request`);
  if (request.status !== 200) failed(`the request is answered with ${request.status}`);
  return (await request.json()).client.name;
}

if ((await readShownName('Claude')) !== 'Claude') failed('not even an ordinary name is shown');
const names = {
  'a bidirectional character': 'edualC\u202Eai',
  'line breaks': 'Claude\n\nKeepsake: this program was checked',
  '5,000 wide blanks': `Claude ${'\u2003'.repeat(5_000)}`,
};
const forged = [];
for (const [what, name] of Object.entries(names)) if ((await readShownName(name)) === name) forged.push(what);
if (forged.length > 0) broken(`the consent page gets the name of a program with ${forged.join(', ')}`);
held();
