// The other programs of workday.ts: write into notes, tasks and the inbox beside the browser, and report each token once it is on disk.
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [vault = '', seed = '1'] = process.argv.slice(2);
let state = Number(seed);
const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
const pick = (all) => all[Math.floor(random() * all.length)];
let number = 0;

/** Never creates the file, because it may be renamed meanwhile. */
function append(path, text) {
  const fd = openSync(path, constants.O_WRONLY | constants.O_APPEND);
  writeSync(fd, text);
  closeSync(fd);
}

const actions = {
  // The browser renames these notes, so they are only appended to.
  append(token) {
    append(join(vault, 'notes', pick(readdirSync(join(vault, 'notes')))), `\nFrom outside: ${token}.\n`);
    return 'kept';
  },
  'save a whole file'(token) {
    const path = join(
      vault,
      'fixed',
      pick(readdirSync(join(vault, 'fixed')).filter((name) => name.endsWith('.md'))),
    );
    const text = readFileSync(path, 'utf8').replace(
      '\n## Outside\n',
      `\n## Outside\n\n${token} came from outside.\n`,
    );
    if (random() < 0.5) writeFileSync(path, text);
    else {
      writeFileSync(`${path}~`, text);
      renameSync(`${path}~`, path);
    }
    return 'kept';
  },
  task(token) {
    append(join(vault, pick(['tasks.md', 'projects/roof/tasks.md'])), `- [ ] Job ${token}\n`);
    return 'open';
  },
  question() {
    const items = readdirSync(join(vault, 'inbox')).filter((name) => name.includes('-call-'));
    if (items.length >= 5) return null;
    const item = join(vault, 'inbox', `2026-07-14-call-${(number += 1)}`);
    mkdirSync(item);
    writeFileSync(join(item, 'review.md'), `# A call\n\n## Question\nWhere does call ${number} belong?\n`);
    return null;
  },
};

const names = ['append', 'append', 'save a whole file', 'save a whole file', 'task', 'question'];
process.stdin.resume().once('end', () => process.exit());
for (;;) {
  await sleep(500 + random() * 2_500);
  const name = pick(names);
  const token = `${name === 'task' ? 'job' : 'out'}${(number += 1)}x`;
  try {
    const fate = actions[name](token);
    if (fate !== null) console.log(JSON.stringify({ token, fate }));
  } catch (error) {
    // A note that was renamed in this moment.
    if (error.code !== 'ENOENT' || !existsSync(vault)) throw error;
  }
}
