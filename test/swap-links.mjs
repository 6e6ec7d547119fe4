// Swaps a folder and a file of a vault for symlinks out of it and back, as fast as it can.
import { renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const [vault, outside, times] = process.argv.slice(2);
const parked = join(vault, '..', 'parked');
for (const [name, target] of [
  ['project', outside],
  ['note.md', join(outside, 'note.md')],
]) {
  symlinkSync(target, join(vault, '..', `link-${name}`));
}
for (let swap = 0; swap < Number(times); swap += 1) {
  const name = swap % 4 < 2 ? 'project' : 'note.md';
  const [place, link] = [join(vault, name), join(vault, '..', `link-${name}`)];
  if (swap % 2 === 0) {
    renameSync(place, `${parked}-${name}`);
    renameSync(link, place);
  } else {
    renameSync(place, link);
    renameSync(`${parked}-${name}`, place);
  }
}
process.send(Number(times), () => process.disconnect());
