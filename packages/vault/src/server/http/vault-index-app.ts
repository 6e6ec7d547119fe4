import { createBaseApp } from './app.ts';
import { requireUser } from './authorize.ts';
import { accessControl } from './access-control.ts';
import { defaultHttpLimits } from './limits.ts';
import { requestLogger } from './request-logger.ts';
import type { HttpAppOptions } from './http-options.ts';
import { redeemLoginLink } from './login-link.ts';
import { Problem } from './problem.ts';
import type { HttpApp, HttpEnv } from './request-env.ts';
import { htmlErrorPage } from './html-error-page.ts';

type Answer = NonNullable<HttpEnv['Bindings']['outgoing']>;

type VaultIndexAppOptions = Pick<HttpAppOptions, 'auth' | 'clock' | 'log' | 'version' | 'web'> & {
  hasPublicUrl: boolean;
  /** URL names of all vaults. */
  names: () => string[];
  /** Opens a vault and returns a one-time link to it. */
  createVaultLink: (name: string, answer: Answer) => Promise<string>;
};

/** The index of a server with several vaults: lists them and creates sign-in links, for the user who started it. */
export function createVaultIndexApp(options: VaultIndexAppOptions): HttpApp {
  const { auth, version, names, createVaultLink } = options;
  const app = createBaseApp(options);
  app.use(requestLogger({ log: options.log, routes: app }));
  app.use(htmlErrorPage(options));
  app.use(async (c, next) => {
    if (c.env.rejection !== undefined) throw c.env.rejection;
    await next();
  });
  app.use(
    accessControl({ ...options, limits: defaultHttpLimits, oauth: undefined, vaultLimits: () => ({}) }),
  );
  app.get('/api/health', (c) => c.json({ status: 'ok', version }));
  app.get('/open', (c) => {
    return c.body(null, 303, { location: '/', 'set-cookie': redeemLoginLink(auth, c) });
  });
  app.get('/api/vaults', (c) => {
    requireUser(c.get('caller'));
    return c.json({ vaults: names() });
  });
  app.post('/api/vaults/:vault/links', async (c) => {
    requireUser(c.get('caller'));
    const name = c.req.param('vault');
    const { outgoing } = c.env;
    if (outgoing === undefined) throw new Problem('unavailable');
    return c.json({ url: await createVaultLink(name, outgoing) }, 201);
  });
  return app;
}
