// The servers that the test files of a run share: one PostgreSQL, one object store, one Chromium. vitest runs this file before the first
// test. A server starts when the first test requests it, and stops with the run.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';

export type SharedServer = 'chromium' | 'object-store' | 'postgres';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of a server that returns the address of a shared server and starts it if necessary. */
    sharedServers: string;
  }
}

type Running = { address: string; stop: () => Promise<void> };

const start: Record<SharedServer, () => Promise<Running>> = {
  chromium: async () => (await import('./web/chromium.ts')).startChromium(),
  'object-store': async () => {
    const { settings, stop } = await (await import('./hosting/s3.ts')).startObjectStore();
    return { address: settings.endpoint, stop };
  },
  postgres: async () => {
    const { folder, stop } = await (await import('./hosting/postgres.ts')).startPostgres();
    return { address: folder, stop };
  },
};

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const running = new Map<SharedServer, Promise<Running>>();
  const server = createServer((request, response) => {
    const name = request.url?.slice(1) as SharedServer;
    const started = running.get(name) ?? start[name]();
    running.set(name, started);
    started.then(
      ({ address }) => response.end(address),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  project.provide('sharedServers', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.close();
    server.closeAllConnections();
    for (const each of running.values()) await (await each).stop();
  };
}
