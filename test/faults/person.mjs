// Saves a file as an editor would, after waiting some microseconds.
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { parentPort } from 'node:worker_threads';

parentPort.on('message', ({ file, text, style, wait }) => {
  const until = performance.now() + wait / 1000;
  while (performance.now() < until);
  const { atime, mtime } = statSync(file);
  if (style === 'rename') {
    writeFileSync(`${file}~`, text);
    renameSync(`${file}~`, file);
  } else {
    const fd = openSync(file, 'r+');
    writeSync(fd, text, 0);
    if (style === 'truncate' || fstatSync(fd).size !== Buffer.byteLength(text))
      ftruncateSync(fd, Buffer.byteLength(text));
    closeSync(fd);
    if (style === 'same size, times restored') utimesSync(file, atime, mtime);
  }
  parentPort.postMessage('saved');
});
