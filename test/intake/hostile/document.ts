import type { RejectionCode, IntakeResult } from '../../../packages/vault/src/intake/document.ts';

type End = RejectionCode | 'converted';

/** For documents that no machine can convert: which limit they reach first depends on the machine. */
export const overLimits = ['too-large', 'too-slow', 'too-much-memory'] as const;

/** A malicious or malformed document, and the expected result. */
export type HostileDocument = {
  what: string;
  name: string;
  /** `trap` is the URL of a server that must not receive any request. */
  make: (trap: string) => Uint8Array | Promise<Uint8Array>;
  ends: End | readonly End[];
  check?: (taken: IntakeResult) => void;
};
