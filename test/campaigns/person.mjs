// Saves a file as an editor would, after waiting some microseconds.
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  futimesSync,
  openSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { parentPort } from 'node:worker_threads';

parentPort.on('message', ({ file, text, style, wait }) => {
  const until = performance.now() + wait / 1000;
  while (performance.now() < until);
  const { atime, mtime } = statSync(file, { throwIfNoEntry: false }) ?? { atime: 0, mtime: 0 };
  if (style === 'rename') {
    writeFileSync(`${file}~`, text);
    renameSync(`${file}~`, file);
  } else {
    const fd = openToWrite(file);
    writeSync(fd, text, 0);
    if (style === 'truncate' || fstatSync(fd).size !== Buffer.byteLength(text))
      ftruncateSync(fd, Buffer.byteLength(text));
    if (style === 'same size, times restored') futimesSync(fd, atime, mtime);
    closeSync(fd);
  }
  parentPort.postMessage('saved');
});

/** Without atomic exchange, the note is missing for a moment; an editor that saves then recreates it. */
function openToWrite(file) {
  try {
    return openSync(file, 'r+');
  } catch {
    return openSync(file, 'w');
  }
}
