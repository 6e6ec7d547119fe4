// Simulates programs that write notes slowly: each keeps its note open, or reopens it. Prints the notes that were replaced while a
// program had them open.
import { closeSync, existsSync, fstatSync, openSync, statSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const { jobs, pause } = JSON.parse(process.argv[2]);
const isReplaced = (fd, file) => !existsSync(file) || statSync(file).ino !== fstatSync(fd).ino;

async function write({ file, kind, lines, delay }) {
  await sleep(delay);
  let fd = openSync(file, kind === 'slow' ? 'w' : 'a');
  let wasReplaced = false;
  for (const [index, line] of lines.entries()) {
    writeSync(fd, `${line}\n`);
    if (index === lines.length - 1) break;
    if (kind === 'returning') closeSync(fd);
    await sleep(pause);
    if (kind === 'returning') fd = openSync(file, 'a');
    else wasReplaced ||= isReplaced(fd, file);
  }
  closeSync(fd);
  return wasReplaced ? [file] : [];
}

const replaced = (await Promise.all(jobs.map(write))).flat();
console.log(JSON.stringify(replaced));
