// A folder of notes is adopted: from then on nothing that is in it is lost, whatever happens first.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const notes = {
  'Wifi.md': '# Wifi\r\nThe password is under the mat.\r\nno line break at the end',
  'Boiler.md': '# Boiler\nServiced in June.\n',
  'Garden/Roses.md': '# Roses\nCut them in March.\n',
};

/** Adopts the notes, does something with other programs, runs a command; gives the change of a path as history has it. */
function changeOf(path, outside, next) {
  return ({ vault, keepsake, lay, done, check }) => {
    lay(vault, notes);
    done(keepsake(['init']));
    outside(vault);
    keepsake(next);
    const { changes } = JSON.parse(done(keepsake(['history', path, '--json'])).stdout);
    check(changes.length > 0, `history has nothing of ${path} after keepsake ${next[0]}`);
    done(keepsake(['undo', changes[0].id]));
    const file = join(vault, path);
    check(existsSync(file), `undo does not bring ${path} back`);
    check(
      readFileSync(file, 'utf8') === notes[path],
      `${path} is not as it was: ${JSON.stringify(readFileSync(file, 'utf8'))}`,
    );
    const { stdout } = done(keepsake(['read', path]));
    check(stdout.includes(notes[path].split(/\r?\n/)[1]), `it cannot be read:\n${stdout}`);
  };
}
const remove = (path) => (vault) => rmSync(join(vault, path));

export const cases = [
  {
    name: 'adopting changes no file',
    run: ({ vault, keepsake, lay, done, check }) => {
      lay(vault, notes);
      done(keepsake(['init']));
      for (const [path, text] of Object.entries(notes))
        check(readFileSync(join(vault, path), 'utf8') === text, `${path} has changed`);
    },
  },
  ...[['find', 'roses'], ['tree'], ['history'], ['read', 'Boiler.md']].map((next) => ({
    name: `a note removed right after comes back with undo, after keepsake ${next[0]}`,
    run: changeOf('Wifi.md', remove('Wifi.md'), next),
  })),
  {
    name: 'so does a folder',
    run: changeOf('Garden/Roses.md', (vault) => rmSync(join(vault, 'Garden'), { recursive: true }), [
      'find',
      'boiler',
    ]),
  },
];
