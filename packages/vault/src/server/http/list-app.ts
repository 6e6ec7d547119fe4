import { newApp } from './app.ts';
import { checkPerson } from './check-person.ts';
import { guard } from './guard.ts';
import { usualLimits } from './limits.ts';
import { observe } from './observe.ts';
import type { HttpParts } from './parts.ts';
import { Problem } from './problem.ts';
import type { HttpApp, HttpEnv } from './request-env.ts';
import { showPage } from './show-page.ts';

type Answer = NonNullable<HttpEnv['Bindings']['outgoing']>;

type Parts = Pick<HttpParts, 'auth' | 'clock' | 'log' | 'version' | 'web'> & {
  /** Of all vaults, as they stand in addresses. */
  names: () => string[];
  /** An address that opens a vault in a browser, once; wakes it. */
  linkTo: (name: string, answer: Answer) => Promise<string>;
};

/** What a server of several vaults answers itself: which there are and the way into each, for who started it. */
export function createListApp(parts: Parts): HttpApp {
  const { auth, version, names, linkTo } = parts;
  const app = newApp(parts);
  app.use(observe(parts));
  app.use(showPage(parts));
  app.use(async (c, next) => {
    if (c.env.refused !== undefined) throw c.env.refused;
    await next();
  });
  app.use(guard({ ...parts, limits: usualLimits, oauth: undefined, vaultLimits: () => ({}) }));
  app.get('/api/health', (c) => c.json({ status: 'ok', version }));
  app.get('/open', (c) => {
    const cookie = auth.exchange(c.req.query('code') ?? '', c.req.raw.headers);
    if (cookie === null) throw new Problem('link-expired');
    return c.body(null, 303, { location: '/', 'set-cookie': cookie });
  });
  app.get('/api/vaults', (c) => {
    checkPerson(c.get('caller'));
    return c.json({ vaults: names() });
  });
  app.post('/api/vaults/:vault/links', async (c) => {
    checkPerson(c.get('caller'));
    const name = c.req.param('vault');
    const { outgoing } = c.env;
    if (outgoing === undefined) throw new Problem('unavailable');
    return c.json({ url: await linkTo(name, outgoing) }, 201);
  });
  return app;
}
