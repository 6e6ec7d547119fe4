// Preloaded into a process: its clock is off by as many milliseconds as a file says, which may change at any moment.
import { readFileSync } from 'node:fs';

const file = process.env.CLOCK_SHIFT ?? '';
const RealDate = Date;
let [shift, lookedAt] = [0, -Infinity];
const now = () => {
  if (performance.now() > lookedAt + 20) {
    shift = Number(readFileSync(file, 'utf8'));
    lookedAt = performance.now();
  }
  return RealDate.now() + shift;
};
globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(now());
    else super(...parts);
  }
  static now() {
    return now();
  }
};
