import type { Keepsake } from '../../app/index.ts';
import { openOAuthStore } from '../oauth/oauth-store.ts';
import { createPasskeys } from './passkeys.ts';
import type { Passkeys } from './passkeys.ts';
import { createProviderLogin } from './provider-login.ts';
import type { ProviderLogin, ProviderSettings } from './provider-login.ts';

/** Ways to sign in remotely, in addition to one-time links. */
export type SignIn = {
  passkeys: Passkeys;
  /** Null when none is configured. */
  provider: ProviderLogin | null;
  /** Whether the public URL uses TLS. */
  isSecure: boolean;
};

type Options = {
  keepsake: Pick<Keepsake, 'state'>;
  url: string;
  provider?: ProviderSettings | undefined;
};

export function openSignIn({ keepsake, url, provider }: Options): SignIn {
  return {
    passkeys: createPasskeys(url, openOAuthStore(keepsake)),
    provider: provider === undefined ? null : createProviderLogin(url, provider),
    isSecure: url.startsWith('https:'),
  };
}
