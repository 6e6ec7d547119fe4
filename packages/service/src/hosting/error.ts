import { AdvisedError } from '../../../vault/src/contract/index.ts';

type HostingCode =
  /** Another node has the vault now; this one must stop serving it. */
  | 'lost-vault'
  /** What is promised cannot be written down at the moment. */
  | 'unavailable'
  | 'no-such-vault'
  | 'no-such-node'
  /** A vault as of a time that is not kept any more, or not yet. */
  | 'not-kept'
  | 'bad-settings'
  | 'damaged';

export class HostingError extends AdvisedError<HostingCode> {
  override readonly name = 'HostingError';
}

export function noSuchVault(vault: string): HostingError {
  return new HostingError('no-such-vault', `there is no vault ${vault}`);
}
