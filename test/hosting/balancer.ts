import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/**
 * A load balancer with one public name, which forwards to a selectable node. It retries when a node has missed its heartbeats, as may
 * happen on a busy machine.
 */
export async function aBalancer(): Promise<{ url: string; leadTo(address: string): void }> {
  let address = '';
  const pass = (incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse): void => {
    const { method = 'GET', url: path, headers } = incoming;
    const passed = request(address, { method, path, headers }, (answer) => {
      const send = (): void => void outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      if (answer.statusCode === 503) return void again(answer, send);
      send();
      answer.pipe(outgoing);
    });
    const again = async (answer: IncomingMessage, send: () => void): Promise<void> => {
      const text = await buffer(answer);
      if (text.includes('lost its connection')) return pass(incoming, body, outgoing);
      send();
      outgoing.end(text);
    };
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    passed.end(body);
  };
  const server = createServer(
    (incoming, outgoing) => void buffer(incoming).then((body) => pass(incoming, body, outgoing)),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, leadTo: (next) => void (address = next) };
}
