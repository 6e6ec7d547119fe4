import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readEnvironment, signInToChatGpt } from '../../packages/vault/src/app/index.ts';
import type { Environment } from '../../packages/vault/src/app/index.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import { startSignInService } from './sign-in-service.ts';
import type { SignInService } from './sign-in-service.ts';

export type SignInTest = {
  service: SignInService;
  /** The variables from which the environment is read, for commands. */
  variables: NodeJS.ProcessEnv;
  environment: Environment;
  accountFile: string;
  /** The stored account. */
  account: () => StoredAccount;
  /** Signs in with a browser that follows the link; returns what it shows. */
  signIn: (options?: { isNew?: boolean }) => Promise<{ email: string | null; page: string }>;
};

type StoredAccount = {
  hostId: string;
  registration: { clientId: string; subject: string } | null;
  email: string | null;
  tokens: { accessToken: string; refreshToken: string; expiresAt: number } | null;
};

/** An empty configuration and a sign-in service for it. */
export async function signInTest(more: NodeJS.ProcessEnv = {}, resource?: string): Promise<SignInTest> {
  const service = await startSignInService(resource);
  const folder = temporaryFolder();
  const variables = { PATH: process.env['PATH'], XDG_CONFIG_HOME: folder, HOME: folder, ...more };
  const environment = { ...readEnvironment(variables), chatGpt: service.endpoints };
  const accountFile = join(folder, 'keepsake', 'keys', 'chatgpt.json');
  return {
    service,
    variables,
    environment,
    accountFile,
    account: () => JSON.parse(readFileSync(accountFile, 'utf8')) as StoredAccount,
    async signIn(options = {}) {
      let page: Promise<string> = Promise.resolve('');
      const email = await signInToChatGpt(environment, {
        ...options,
        signal: new AbortController().signal,
        onLink: (link) => void (page = service.visit(link).then((response) => response.text())),
      });
      return { email, page: await page };
    },
  };
}
