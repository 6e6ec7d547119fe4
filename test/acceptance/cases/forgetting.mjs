// keepsake forget "<words>": shows every place where they are and asks; with --yes they are nowhere any more, and a receipt says
// where they were and what may still hold them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

const words = 'zebrafinch-7431';
const mark = /zebrafinch/i;
const line = `The safe opens with ${words}.`;

/** Where the words can still be found below a folder: in files and their names, unpacked where they are packed, and in every object of every git repository, also those that no commit names. */
function traces(folder) {
  const found = [];
  const repositories = new Set();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (mark.test(entry.name)) found.push(`the name ${relative(folder, path)}`);
    if (entry.name === 'HEAD' && existsSync(join(dirname(path), 'objects'))) repositories.add(dirname(path));
    if (!entry.isFile()) continue;
    const bytes = readFileSync(path);
    if (holds(bytes)) found.push(relative(folder, path));
  }
  for (const repository of repositories) {
    const objects = spawnSync(
      'git',
      ['--git-dir', repository, 'cat-file', '--batch-all-objects', '--batch', '--buffer'],
      { maxBuffer: 2 ** 28 },
    );
    if (objects.status !== 0)
      throw new Error(`git cat-file in ${relative(folder, repository)}: ${objects.stderr.toString()}`);
    if (mark.test(objects.stdout.toString('latin1')))
      found.push(`an object of ${relative(folder, repository)}`);
  }
  return found;
}
function holds(bytes) {
  const forms = [bytes.toString('latin1'), bytes.toString('utf16le')];
  for (const unpack of [inflateSync, inflateRawSync, gunzipSync]) {
    try {
      forms.push(unpack(bytes).toString('latin1'));
    } catch {}
  }
  return forms.some((form) => mark.test(form));
}

/** A vault in which the words are in a note, in an older version of another, and in one that was deleted. */
function told(world) {
  const { home, keepsake } = world.machine('home');
  const vault = join(home, 'vault');
  mkdirSync(vault);
  const run = (argv, stdin) => keepsake(argv, { cwd: vault, stdin });
  const { done } = world;
  done(run(['init']));
  done(run(['write', 'bucket/safe.md'], `# Safe\n\nKeep this line.\n${line}\nAnd this one.\n`));
  done(run(['write', 'bucket/old.md'], `# Old\n\n${line}\n`));
  done(run(['edit', 'bucket/old.md', '--old', line, '--new', 'The safe is sold.']));
  done(run(['write', 'bucket/gone.md'], `# Gone\n\n${line}\n`));
  done(run(['rm', 'bucket/gone.md']));
  done(run(['write', 'bucket/other.md'], '# Other\n\nAbout something else.\n'));
  world.check(/zebrafinch/.test(done(run(['find', 'zebrafinch'])).stdout), 'the words are not found before');
  const before = traces(home);
  world.check(
    before.includes(join('vault', 'bucket', 'safe.md')) &&
      before.some((place) => place.startsWith('an object of state')),
    `the check itself does not see the words: ${before.join(', ')}`,
  );
  return { home, vault, run };
}
/** The same, forgotten. */
function forgotten(world) {
  const vaultWithWords = told(world);
  const { said } = world.done(vaultWithWords.run(['forget', words, '--yes']));
  return { ...vaultWithWords, receipt: said };
}
const text = (vault, path) => readFileSync(join(vault, path), 'utf8');

export const cases = [
  {
    name: 'without --yes every place is shown, and nothing is done',
    run: (world) => {
      const { vault, run } = told(world);
      const { said } = run(['forget', words]);
      for (const place of ['bucket/safe.md', 'bucket/old.md', 'bucket/gone.md'])
        world.check(said.includes(place), `${place} is not shown:\n${said}`);
      world.check(/history/i.test(said), `history is not shown:\n${said}`);
      world.check(text(vault, 'bucket/safe.md').includes(line), 'the words are gone without a yes');
    },
  },
  {
    name: 'afterwards the words are in no file of the vault, and the rest of it is',
    run: (world) => {
      const { vault } = forgotten(world);
      world.check(traces(vault).length === 0, `still in: ${traces(vault).join(', ')}`);
      world.check(
        text(vault, 'bucket/safe.md').includes('Keep this line.\n') &&
          text(vault, 'bucket/safe.md').includes('And this one.\n'),
        `other lines are gone:\n${text(vault, 'bucket/safe.md')}`,
      );
      world.check(
        text(vault, 'bucket/old.md').includes('The safe is sold.') &&
          text(vault, 'bucket/other.md').includes('About something else.'),
        'other notes have changed',
      );
    },
  },
  {
    name: 'neither history nor show has them',
    run: (world) => {
      const { run } = forgotten(world);
      const listed = world.done(run(['history', '--json', '--limit', '100'])).stdout;
      world.check(!mark.test(listed), `history has them:\n${listed}`);
      const { changes } = JSON.parse(listed);
      world.check(
        changes.some(({ paths }) => paths.some((path) => path.endsWith('bucket/other.md'))),
        `history has lost what is about something else:\n${listed}`,
      );
      for (const { id } of changes)
        for (const more of [[], ['--json']])
          world.check(!mark.test(run(['show', id, ...more]).said), `keepsake show ${id} has them`);
    },
  },
  {
    name: 'nothing on this machine has them',
    run: (world) => {
      const { home } = forgotten(world);
      world.check(traces(home).length === 0, `still in: ${traces(home).join(', ')}`);
    },
  },
  {
    name: 'they are not found',
    run: (world) => {
      const { run } = forgotten(world);
      for (const query of ['zebrafinch', words, line])
        world.check(!mark.test(run(['find', query]).stdout), `keepsake find ${query} finds them`);
      world.check(
        /something else/.test(world.done(run(['find', 'something else'])).stdout),
        'other words are not found any more',
      );
    },
  },
  {
    name: 'undo does not bring them back',
    run: (world) => {
      const { home, run } = forgotten(world);
      const { changes } = JSON.parse(world.done(run(['history', '--json', '--limit', '100'])).stdout);
      for (const { id } of changes) run(['undo', id, '--conflict', 'replace']);
      world.check(traces(home).length === 0, `back in: ${traces(home).join(', ')}`);
    },
  },
  {
    name: 'a receipt names every place, and backups that may still hold them',
    run: (world) => {
      const { receipt } = forgotten(world);
      for (const place of ['bucket/safe.md', 'bucket/old.md', 'bucket/gone.md'])
        world.check(receipt.includes(place), `${place} is not in the receipt:\n${receipt}`);
      world.check(/history/i.test(receipt), `history is not in the receipt:\n${receipt}`);
      world.check(/backup/i.test(receipt), `backups are not in the receipt:\n${receipt}`);
    },
  },
  {
    name: 'what waits to be filed is forgotten, too',
    run: (world) => {
      const { home, run } = told(world);
      const { stdout } = world.done(run(['add', `Remember: ${line}`, '--json']));
      world.check(stdout.trim() !== '', 'nothing was accepted');
      world.done(run(['forget', words, '--yes']));
      world.check(traces(home).length === 0, `still in: ${traces(home).join(', ')}`);
      world.check(!mark.test(run(['updates', '--json']).said), 'keepsake updates has them');
    },
  },
];
