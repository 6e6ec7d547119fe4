// Nothing accepted is lost: of two held updates that add to the same file, both can be brought in.
import { call, fileMail, obeying, startModel } from './lib/model.mjs';
import { broken, failed, held, keepsake, newVault, prepare, text } from './lib/world.mjs';

await newVault({ 'profile.md': '# Profile\n\nSpeaks French.\n' });
const words = ['The office moved to Lyon.', 'The bank moved to Nice.'];
const ids = [];
for (const content of words) {
  const update = await fileMail([[call('append', { path: 'profile.md', content, position: 'bottom' })]]);
  if (update.result?.kind !== 'held') failed(`the update is ${update.result?.kind}, not held`);
  ids.push(update.id);
}
const exists = () => words.every((each) => text('profile.md').includes(each));
await prepare('approve', ids[0]);
const approval = await keepsake(['approve', ids[1]]);
if (exists()) held();
// Then there has to be another way: to have it filed again, on what the file is now.
const retry = await keepsake(['updates', 'retry', ids[1]]);
const model = await startModel(
  obeying([[call('append', { path: 'profile.md', content: words[1], position: 'bottom' })]]),
);
await keepsake(['updates', 'run'], { env: model.env, seconds: 30 });
await keepsake(['approve', ids[1]]);
if (exists()) held();
const said = ({ stderr, stdout }) => (stderr + stdout).trim().split('\n')[0];
broken(`the second can neither be approved (${said(approval)}) nor tried again (${said(retry)})`);
