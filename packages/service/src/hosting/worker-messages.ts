import type { ReportedError } from './error.ts';
import type { OpenVaultSettings } from './open-vault.ts';
import type { ClaimedVault } from './placement.ts';

/** What the node asks of a worker. A vault is named by its claim, because it may be claimed again. */
export type WorkerCall =
  | { op: 'open'; claimed: ClaimedVault; trace: Record<string, string> }
  | { op: 'applyAccess'; claimId: string; sealed: Buffer | null }
  | { op: 'snapshot' | 'isBusy' | 'close'; claimId: string };

/** Requests to a worker carry `secret`, so that no other program of the machine reaches its vaults. */
export type WorkerSettings = OpenVaultSettings & { secret: string };

export type ToWorker =
  | { kind: 'start'; settings: WorkerSettings }
  | { kind: 'ping' }
  | { kind: 'call'; id: number; call: WorkerCall }
  | { kind: 'stop' };

export type FromWorker =
  | { kind: 'started'; port: number }
  | { kind: 'pong'; memoryBytes: number }
  | { kind: 'done'; id: number; value?: unknown }
  | { kind: 'failed'; id: number; error: ReportedError }
  | { kind: 'lost'; claimId: string };

export const workerHeaders = { secret: 'x-keepsake-worker', claim: 'x-keepsake-claim' };
