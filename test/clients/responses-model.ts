import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type ResponsesModel = { baseUrl: string; bodies: string[]; close(): void };

/**
 * A server for the Responses API that Codex uses: it always returns the same answer and stores the requests. It reports
 * `tokens` of input, by which Codex decides whether to compact.
 */
export async function startResponsesModel(answer: string, tokens = 150_000): Promise<ResponsesModel> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method !== 'POST') return response.writeHead(404).end('{}');
      bodies.push(body);
      const item = {
        type: 'message',
        id: 'm1',
        role: 'assistant',
        content: [{ type: 'output_text', text: answer }],
      };
      const usage = { input_tokens: tokens, output_tokens: 1, total_tokens: tokens + 1 };
      const events = [
        { type: 'response.created', response: { id: 'r1' } },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: { id: 'r1', output: [item], usage } },
      ];
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return response.end(
        events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
      );
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, bodies, close: () => void server.close() };
}
