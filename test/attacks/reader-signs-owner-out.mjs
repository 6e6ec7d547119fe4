// A reader changes nothing: however often they sign in, the owner stays signed in.
import { authenticator, origin, register, signIn } from './lib/passkey.mjs';
import { api, broken, failed, held, invite, newVault, ownerBrowser, serve } from './lib/world.mjs';

await newVault();
const service = await serve({}, ['--public', origin]);
const owner = await ownerBrowser(service);

const { call: reader } = await invite(service, owner, 'Reader', 'reader');
const key = authenticator();
if ((await register(reader, key, 'phone')) !== 204) failed('the passkey is not registered');
const before = (await owner('GET', `${api}/tree`)).status;
if (before !== 200) failed(`the owner is answered with ${before}`);
let opened = 0;
for (let batch = 0; batch < 13; batch++) {
  const statuses = await Promise.all(Array.from({ length: 10 }, () => signIn(service, key)));
  opened += statuses.filter((status) => status === 204).length;
}
if (opened === 0) failed('the reader cannot sign in');
const after = (await owner('GET', `${api}/tree`)).status;
if (after !== 200) broken(`after a reader has signed in ${opened} times, the owner is signed out (${after})`);
held();
