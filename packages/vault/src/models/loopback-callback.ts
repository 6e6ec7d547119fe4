import { timingSafeEqual } from 'node:crypto';

/** Waits on this machine for the browser that returns from a sign-in page. */
export type LoopbackCallback = {
  /** `http://127.0.0.1:<port>/auth/callback` */
  redirectUri: string;
  /**
   * Resolves with the first request that has the right state; others get an error page and are ignored. Rejects with
   * the reason of the signal.
   */
  receive(signal: AbortSignal): Promise<ReceivedCallback>;
  close(): Promise<void>;
};

type ReceivedCallback = {
  url: URL;
  /** Shows this text in the browser. */
  respond(text: string): void;
};

const callbackPath = '/auth/callback';
const closeDelayMs = 500;

/** Never redirects and repeats nothing of the request. `unknownText` is shown for a request of another sign-in. */
export async function openLoopbackCallback(state: string, unknownText: string): Promise<LoopbackCallback> {
  const { createServer } = process.getBuiltinModule('node:http');
  const received = Promise.withResolvers<ReceivedCallback>();
  let isUsed = false;
  const server = createServer((request, response) => {
    const show = (status: number, text: string): void =>
      void response.writeHead(status, pageHeaders).end(`${text}\n`);
    const url = URL.parse(request.url ?? '', origin());
    // A page of another site can make the browser send requests here, but not with this host and the state.
    const isCallback =
      request.method === 'GET' &&
      `http://${request.headers.host}` === origin() &&
      url?.origin === origin() &&
      url.pathname === callbackPath;
    if (!isCallback) return show(404, 'Not found');
    if (isUsed || !isEqual(url.searchParams.get('state') ?? '', state)) return show(400, unknownText);
    isUsed = true;
    received.resolve({ url, respond: (text) => show(200, text) });
  });
  const origin = (): string => {
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  };
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    redirectUri: `${origin()}${callbackPath}`,
    receive(signal) {
      const aborted = Promise.withResolvers<never>();
      const abort = (): void => aborted.reject(signal.reason);
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort, { once: true });
      return Promise.race([received.promise, aborted.promise]).finally(() =>
        signal.removeEventListener('abort', abort),
      );
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        // Lets a page that is being sent arrive, but does not wait for a connection that a browser opened in advance.
        setTimeout(() => server.closeAllConnections(), closeDelayMs).unref();
      }),
  };
}

const pageHeaders = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'",
  'x-content-type-options': 'nosniff',
  connection: 'close',
};

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
