import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { otherReason } from '../../packages/vault/src/contract/index.ts';
import { readEnvironment } from '../../packages/vault/src/app/index.ts';
import { startServer } from '../../packages/vault/src/server/index.ts';
import type { RunningServer, ServerOptions } from '../../packages/vault/src/server/index.ts';
import { createLocalBackend, createMcpHttp } from '../../packages/vault/src/server/mcp/index.ts';
import { openOAuth } from '../../packages/vault/src/server/oauth/oauth.ts';
import type { OAuth, OAuthOptions } from '../../packages/vault/src/server/oauth/oauth.ts';
import type { ProviderSettings } from '../../packages/vault/src/server/sign-in/provider-login.ts';
import { openSignIn } from '../../packages/vault/src/server/sign-in/sign-in.ts';
import { temporaryVault } from '../temporary-vault.ts';
import type { Files, TestVault } from '../temporary-vault.ts';
import { createBrowser } from './browser.ts';
import type { Browser } from './browser.ts';

export type PublicVault = TestVault & {
  /** The public URL, which is that of the proxy. */
  url: string;
  resource: string;
  oauth: OAuth;
  server: RunningServer;
  log: object[];
  /** A browser in which the user is signed in. */
  signedIn(): Promise<Browser>;
  /** A one-time sign-in link. */
  link(): string;
};

type Options = Pick<OAuthOptions, 'fetch' | 'clock'> &
  Pick<ServerOptions, 'web'> & {
    /** The host name of this machine in the URL; passkeys do not work with IP addresses. */
    host?: 'localhost' | '127.0.0.1';
    provider?: ProviderSettings;
  };

/** A vault served as with `keepsake serve --public`, behind a proxy. */
export async function publicVault(files: Files = {}, options: Options = {}): Promise<PublicVault> {
  const vault = await temporaryVault(files);
  const { keepsake } = vault;
  const proxy = await startProxy(options.host);
  const log: object[] = [];
  const onError = (error: unknown): void => void log.push({ level: 'error', message: String(error) });
  const oauth = await openOAuth({
    keepsake,
    url: proxy.url,
    onError,
    fetch: options.fetch,
    clock: options.clock,
  });
  const environment = readEnvironment({ PATH: process.env['PATH'] });
  const mcp = createMcpHttp(createLocalBackend(keepsake, environment), {
    isReadOnly: false,
    version: '0.0.0-test',
    origin: 'mcp',
    onError,
  });
  onTestFinished(() => mcp.close());
  const server = await startServer({
    keepsake,
    environment,
    oauth,
    mcp,
    vaultName: 'notes',
    port: 0,
    secret: 'the-secret-of-the-owner',
    log: (entry) => void log.push(entry),
    limits: { revalidateIntervalMs: 10 },
    model: () => ({ missing: otherReason('none is chosen') }),
    web: options.web,
    signIn: openSignIn({ keepsake, url: proxy.url, provider: options.provider }),
  });
  onTestFinished(() => server.close());
  proxy.leadTo(server.url);
  return {
    ...vault,
    url: proxy.url,
    resource: `${proxy.url}/mcp`,
    oauth,
    server,
    log,
    link: () => server.createLoginLink(),
    async signedIn() {
      const browser = createBrowser();
      await browser.open(server.createLoginLink());
      return browser;
    },
  };
}

/** A TCP proxy from one local port to another. */
async function startProxy(host = '127.0.0.1'): Promise<{ url: string; leadTo(url: string): void }> {
  let target = '';
  const proxy = createServer((incoming, outgoing) => {
    const passed = request(
      new URL(incoming.url ?? '/', target),
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        outgoing.flushHeaders();
        answer.pipe(outgoing);
        answer.on('error', () => outgoing.destroy());
      },
    );
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  return {
    url: `http://${host}:${(proxy.address() as AddressInfo).port}`,
    leadTo: (url) => void (target = url),
  };
}
