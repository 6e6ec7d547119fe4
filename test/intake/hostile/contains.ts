import { expect } from 'vitest';
import type { Taken } from '../../../packages/vault/src/intake/port.ts';

export function contains(text: string): (taken: Taken) => void {
  return ({ outcome }) => expect(outcome.kind === 'converted' && outcome.markdown).toContain(text);
}
