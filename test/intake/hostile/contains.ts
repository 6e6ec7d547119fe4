import { expect } from 'vitest';
import type { IntakeResult } from '../../../packages/vault/src/intake/document.ts';

export function contains(text: string): (taken: IntakeResult) => void {
  return ({ outcome }) => expect(outcome.kind === 'converted' && outcome.markdown).toContain(text);
}
