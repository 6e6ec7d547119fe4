import type { Keepsake } from '../../app/index.ts';
import { openRecords } from '../oauth/records.ts';
import { createPasskeys } from './passkeys.ts';
import type { Passkeys } from './passkeys.ts';
import { createProviderLogin } from './provider-login.ts';
import type { ProviderLogin, ProviderSettings } from './provider-login.ts';

/** How the person signs in from elsewhere, besides a one-time link. */
export type SignIn = {
  passkeys: Passkeys;
  /** Null when none is configured. */
  provider: ProviderLogin | null;
  /** Whether everything travels over TLS. */
  isSecure: boolean;
};

type Options = {
  keepsake: Pick<Keepsake, 'state'>;
  url: string;
  provider?: ProviderSettings | undefined;
};

export function openSignIn({ keepsake, url, provider }: Options): SignIn {
  return {
    passkeys: createPasskeys(url, openRecords(keepsake)),
    provider: provider === undefined ? null : createProviderLogin(url, provider),
    isSecure: url.startsWith('https:'),
  };
}
