// Most of a long file is not removed without you: a long note overwritten with one letter is held.
import { call, fileMail } from './lib/model.mjs';
import { broken, held, newVault, text } from './lib/world.mjs';

await newVault({
  'bucket/long.md': Array.from({ length: 400 }, (_, i) => `Line ${i} of a long note.\n`).join(''),
});
const update = await fileMail([
  [call('read', { paths: 'bucket/long.md' })],
  [call('write', { path: 'bucket/long.md', content: 'x\n' })],
]);
if (!text('bucket/long.md').includes('Line 399'))
  broken(`the note was emptied; the update is ${update.result?.kind}`);
held();
