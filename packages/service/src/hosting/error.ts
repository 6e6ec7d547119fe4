import { describeError, KeepsakeError } from '../../../vault/src/contract/index.ts';

type HostingCode =
  /** Another node now owns the vault; this one must stop serving it. */
  | 'lost-vault'
  /** Changes cannot be committed at the moment; retry later. */
  | 'unavailable'
  | 'no-such-vault'
  | 'no-such-node'
  /** The vault cannot be restored to that point: its records have expired, or do not exist yet. */
  | 'not-kept'
  | 'bad-settings'
  | 'damaged';

export class HostingError extends KeepsakeError<HostingCode> {
  override readonly name = 'HostingError';
}

export function vaultNotFound(vault: string): HostingError {
  return new HostingError('no-such-vault', `vault ${vault} does not exist`);
}

/** An error as a worker reports it to its node. */
export type ReportedError = { code: HostingCode | null; message: string; hint: string };

export function reportError(error: unknown): ReportedError {
  return error instanceof HostingError
    ? { code: error.code, message: error.message, hint: error.hint }
    : { code: null, message: describeError(error), hint: '' };
}

export function fromReportedError({ code, message, hint }: ReportedError): Error {
  return code === null ? new Error(message) : new HostingError(code, message, { hint });
}
