import type { RefusalCode, Taken } from '../../../packages/vault/src/intake/port.ts';

type End = RefusalCode | 'converted';

/** For what no machine can read: which limit it meets first depends on the machine. */
export const overLimits = ['too-large', 'too-slow', 'too-much-memory'] as const;

/** A document that means harm, or looks like it, and what has to become of it. */
export type HostileDocument = {
  what: string;
  name: string;
  /** `trap` is the address of a server that nobody may ask for anything. */
  make: (trap: string) => Uint8Array | Promise<Uint8Array>;
  ends: End | readonly End[];
  check?: (taken: Taken) => void;
};
