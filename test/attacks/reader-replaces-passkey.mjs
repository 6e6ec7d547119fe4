// A reader changes nothing: not even by registering a passkey under the id of the owner's.
import { authenticator, origin, register, signIn } from './lib/passkey.mjs';
import { api, broken, failed, held, invite, newVault, ownerBrowser, serve } from './lib/world.mjs';

await newVault();
const service = await serve({}, ['--public', origin]);
const owner = await ownerBrowser(service);

const own = authenticator();
const registered = await register(owner, own, 'my phone');
if (registered !== 204) failed(`the owner's passkey is not registered: ${registered}`);
if ((await signIn(service, own)) !== 204) failed('the owner cannot sign in');
const { call: reader } = await invite(service, owner, 'Reader', 'reader');
const offered = (await reader('POST', `${api}/passkeys/options`)).body.excludeCredentials ?? [];
if (offered.some(({ id }) => id === own.name)) broken("a reader is told the id of the owner's passkey");
const replaced = await register(reader, authenticator(Buffer.from(own.name, 'base64url')), 'mine');
const after = await signIn(service, own);
if (after !== 204)
  broken(
    `a reader registered the id of the owner's passkey (${replaced}), and the owner cannot sign in (${after})`,
  );
held();
