import type { Rejection, RejectionCode } from './document.ts';

export function refuse(code: RejectionCode, reason: string): Rejection {
  return { kind: 'refused', code, reason };
}
