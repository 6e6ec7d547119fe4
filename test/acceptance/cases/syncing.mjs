// One vault on two machines by a bare git repository: an empty folder receives, and an emptied one does not empty the others.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const notes = {
  'bucket/one.md': 'Words of the first note.\n',
  'bucket/two.md': 'Words of the second note.\n',
  'projects/house/state.md': '## Status\nThe roof is done.\n',
  'profile.md': '# Profile\nLives in Leipzig.\n',
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [`bucket/day-${index}.md`, `Words of day ${index}.\n`]),
  ),
};

/** A machine with the notes in `vault`, a second one that has joined, and the repository between them. */
function twoMachines({ root, machine, done, lay }) {
  const remote = join(root, 'remote.git');
  const made = spawnSync('git', ['init', '-q', '--bare', remote], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`git init: ${made.stderr ?? made.error}`);
  const [first, second] = ['first', 'second'].map((name) => {
    const { home, keepsake } = machine(name);
    const folder = join(home, 'vault');
    mkdirSync(folder);
    return { home, folder, run: (argv, cwd = folder) => keepsake(argv, { cwd }) };
  });
  lay(first.folder, notes);
  done(first.run(['init']));
  done(first.run(['sync', remote]));
  done(second.run(['sync', remote]));
  return { remote, first, second };
}
const missing = (folder) =>
  Object.entries(notes)
    .filter(
      ([path, text]) => !existsSync(join(folder, path)) || readFileSync(join(folder, path), 'utf8') !== text,
    )
    .map(([path]) => path);
const hasAll = (check, folder, whose, said = '') =>
  check(missing(folder).length === 0, `${whose} lacks ${missing(folder).join(', ')}\n${said}`);

export const cases = [
  {
    name: 'a machine with an empty folder joins and has everything',
    run: (world) => {
      const { first, second } = twoMachines(world);
      hasAll(world.check, second.folder, 'the second machine');
      world.done(first.run(['sync']));
      hasAll(world.check, first.folder, 'the first machine');
    },
  },
  {
    name: 'a folder that was removed joins again and has everything, and so has the other machine',
    run: (world) => {
      const { remote, first, second } = twoMachines(world);
      rmSync(second.folder, { recursive: true });
      mkdirSync(second.folder);
      const { said } = world.done(second.run(['sync', remote]));
      hasAll(world.check, second.folder, 'the machine that joined again', said);
      world.done(first.run(['sync']));
      hasAll(world.check, first.folder, 'the other machine');
    },
  },
  {
    name: 'emptying a folder and syncing it does not empty the other machine unasked',
    run: (world) => {
      const { first, second } = twoMachines(world);
      for (const name of readdirSync(second.folder))
        if (name !== '.keepsake') rmSync(join(second.folder, name), { recursive: true });
      const emptied = second.run(['sync']);
      const { said } = first.run(['sync']);
      hasAll(world.check, first.folder, 'the other machine', emptied.said + said);
      world.check(emptied.status !== 0, `the sync of an emptied folder ends with 0: ${emptied.said}`);
      world.check(/delet/i.test(emptied.said), `it does not speak of deletions: ${emptied.said}`);
    },
  },
  {
    name: 'one deleted note is deleted on the other machine',
    run: (world) => {
      const { first, second } = twoMachines(world);
      rmSync(join(second.folder, 'bucket/one.md'));
      world.done(second.run(['sync']));
      world.done(first.run(['sync']));
      world.check(
        missing(first.folder).join() === 'bucket/one.md',
        `missing: ${missing(first.folder).join(', ') || 'none'}`,
      );
    },
  },
  {
    name: 'a second empty folder on the same machine joins',
    run: (world) => {
      const { remote, first } = twoMachines(world);
      const other = join(first.home, 'other');
      mkdirSync(other);
      const { said } = world.done(first.run(['sync', remote], other));
      hasAll(world.check, other, 'the second folder', said);
      hasAll(world.check, first.folder, 'the first folder');
    },
  },
  {
    name: 'what is written in one of two folders of a machine arrives in the other',
    run: (world) => {
      const { remote, first } = twoMachines(world);
      const other = join(first.home, 'other');
      mkdirSync(other);
      world.done(first.run(['sync', remote], other));
      world.lay(other, { 'bucket/three.md': 'Words of the third note.\n' });
      world.done(first.run(['sync'], other));
      world.done(first.run(['sync']));
      world.check(
        existsSync(join(first.folder, 'bucket/three.md')),
        'the first folder lacks bucket/three.md',
      );
      hasAll(world.check, first.folder, 'the first folder');
      hasAll(world.check, other, 'the second folder');
    },
  },
];
