// Most of a long file is not removed without you: deleting ten files of 5,000 lines is held as emptying one of them would be.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { call, fileMail } from './lib/model.mjs';
import { broken, held, newVault, vault } from './lib/world.mjs';

const long = (i) => Array.from({ length: 5_000 }, (_, line) => `Line ${line} of ${i}.\n`).join('');
const files = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`projects/p/long${i}.md`, long(i)]));
await newVault(files);
const paths = Object.keys(files);
const update = await fileMail([paths.map((path) => call('delete', { path }))]);
const gone = paths.filter((path) => !existsSync(join(vault, path))).length;
if (gone > 0)
  broken(`${gone} of ${paths.length} files of 5,000 lines are gone; the update is ${update.result?.kind}`);
held();
