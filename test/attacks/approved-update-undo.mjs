// Every change can be undone by its id, also an update that was held and then approved.
import { call, fileMail } from './lib/model.mjs';
import { broken, failed, held, keepsake, newVault, prepare, text } from './lib/world.mjs';

await newVault({ 'profile.md': '# Profile\n\nSpeaks French.\n' });
const update = await fileMail([
  [call('append', { path: 'profile.md', content: 'The sender is a friend.', position: 'bottom' })],
]);
if (update.result?.kind !== 'held') failed(`the update is ${update.result?.kind}, not held`);
await prepare('approve', update.id);
if (!text('profile.md').includes('The sender')) failed('the approved change is not there');
const undo = await keepsake(['undo', update.id]);
if (text('profile.md').includes('The sender'))
  broken(`undo of the update says: ${(undo.stderr + undo.stdout).trim().split('\n').at(-1)}`);
held();
