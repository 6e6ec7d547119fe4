/** A minimal browser for sign-in: cookies with paths, and same-origin requests. */
export type Browser = {
  /** Navigates to a URL from anywhere, without following redirects. */
  open(url: string): Promise<Response>;
  /** Sends a same-origin request, as a page of that server does. */
  ask(
    url: string,
    init?: { method?: string; json?: unknown; headers?: Record<string, string> },
  ): Promise<Response>;
  /** All cookies as a header, whatever their path. */
  cookies(): string;
};

type Cookie = { name: string; value: string; path: string; isStrict: boolean };

export function createBrowser(): Browser {
  const jar = new Map<string, Cookie>();
  const cookiesFor = ({ pathname }: URL, isSameSite: boolean): string =>
    [...jar.values()]
      .filter(({ path }) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`))
      .filter(({ isStrict }) => isSameSite || !isStrict)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  const keep = (response: Response): Response => {
    for (const set of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = set.split('; ');
      const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(pair) ?? [];
      const path = attributes.find((each) => /^path=/i.test(each))?.slice(5) ?? '/';
      const isStrict = attributes.some((each) => /^samesite=strict$/i.test(each));
      if (value === '') jar.delete(`${name} ${path}`);
      else jar.set(`${name} ${path}`, { name, value, path, isStrict });
    }
    return response;
  };
  return {
    cookies: () => [...jar.values()].map(({ name, value }) => `${name}=${value}`).join('; '),
    open: async (url) =>
      keep(
        await fetch(url, {
          redirect: 'manual',
          headers: { cookie: cookiesFor(new URL(url), false), 'sec-fetch-site': 'cross-site' },
        }),
      ),
    async ask(url, { method, json, headers } = {}) {
      const address = new URL(url);
      return keep(
        await fetch(address, {
          method: method ?? (json === undefined ? 'GET' : 'POST'),
          redirect: 'manual',
          headers: {
            cookie: cookiesFor(address, true),
            'sec-fetch-site': 'same-origin',
            origin: address.origin,
            ...(json !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(json !== undefined && { body: JSON.stringify(json) }),
        }),
      );
    },
  };
}
