import type { Refusal, RefusalCode } from './port.ts';

export function refuse(code: RefusalCode, reason: string): Refusal {
  return { kind: 'refused', code, reason };
}
