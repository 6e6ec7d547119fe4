// A removed passkey stays removed, even if someone is signing in with it at that moment.
import { authenticator, origin, register, signIn } from './lib/passkey.mjs';
import {
  broken,
  browser,
  failed,
  held,
  newVault,
  openLink,
  ownerBrowser,
  prepare,
  serve,
  sleep,
} from './lib/world.mjs';

await newVault();
const service = await serve({}, ['--public', origin]);
let owner = await ownerBrowser(service);

/** The thief signs in as the owner, so the owner's own session may be one too many; the owner then opens another at the machine. */
async function callAsOwner(...request) {
  for (let attempt = 0; ; attempt++) {
    const response = await owner(...request);
    if (response.status !== 401 || attempt === 10) return response;
    owner = browser(service, await openLink(service, (await prepare('open')).trim()));
  }
}

for (let round = 1; round <= 8; round++) {
  const stolen = authenticator();
  if ((await register(callAsOwner, stolen, `phone ${round}`)) !== 204)
    failed('the passkey is not registered');
  // The thief is elsewhere, so that the owner does not share the limits of their address.
  const address = `203.0.113.${round}`;
  const stopped = new AbortController();
  const signInRepeatedly = async () => {
    while (!stopped.signal.aborted) await signIn(service, stolen, address).catch(() => undefined);
  };
  const thieves = Array.from({ length: 12 }, signInRepeatedly);
  await sleep(400);
  const removed = await callAsOwner('DELETE', `/api/vaults/default/passkeys/${stolen.name}`);
  if (removed.status !== 204) failed(`the passkey is not removed: ${removed.status}`);
  await sleep(300);
  stopped.abort();
  await Promise.all(thieves);
  if ((await signIn(service, stolen)) === 204)
    broken(`in round ${round} a passkey that the owner had removed signs in again`);
}
held();
