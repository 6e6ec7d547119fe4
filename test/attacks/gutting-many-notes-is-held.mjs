// Large deletions wait for you: sixty notes overwritten with one letter on the word of a mail are held.
import { call, fileMail } from './lib/model.mjs';
import { broken, held, newVault, text } from './lib/world.mjs';

const body = 'A whole paragraph of words. '.repeat(30);
const notes = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => [`projects/p/n${i}.md`, `# Note ${i}\n${body}\n`]),
);
await newVault(notes);
const paths = Object.keys(notes);
const steps = [0, 30].flatMap((from) => [
  paths.slice(from, from + 30).map((path) => call('read', { paths: path })),
  paths.slice(from, from + 30).map((path) => call('write', { path, content: 'x\n' })),
]);
const update = await fileMail(steps);
const gone = paths.filter((path) => !text(path).includes('paragraph')).length;
if (gone > 0) broken(`${gone} of ${paths.length} notes were emptied; the update is ${update.result?.kind}`);
held();
