// Most of a long file is not removed without you: ten long lists of tasks overwritten on the word of a mail are held.
import { call, fileMail } from './lib/model.mjs';
import { broken, held, newVault, text } from './lib/world.mjs';

const tasks = Array.from({ length: 300 }, (_, i) => `# Task ${i}\n`).join('');
const lists = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`projects/p${i}/tasks.md`, tasks]));
await newVault(lists);
const paths = Object.keys(lists);
const update = await fileMail([
  paths.map((path) => call('read', { paths: path })),
  paths.map((path) => call('write', { path, content: 'x\n' })),
]);
const gone = paths.filter((path) => !text(path).includes('Task')).length;
if (gone > 0)
  broken(`${gone} of ${paths.length} lists of 300 tasks were emptied; the update is ${update.result?.kind}`);
held();
