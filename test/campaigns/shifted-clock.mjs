// Preloaded into a process: shifts its clock by the number of milliseconds in a file, which may change at any time.
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
