import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Protocol } from './protocol.ts';
import type { SeenRequest } from './seen-request.ts';
import type { Reply, Turn } from './turn.ts';

/** Sends the response of a turn, and returns when everything has been sent. */
export async function sendTurn(
  response: ServerResponse,
  protocol: Protocol,
  request: SeenRequest,
  turn: Turn,
): Promise<void> {
  if (!('fault' in turn)) {
    begin(response, request);
    for (const piece of bodyOf(protocol, request, turn)) {
      if (response.destroyed) return;
      response.write(piece);
      // Separates the pieces of a stream, as with a slow model.
      await setImmediate();
    }
    response.end();
  } else if (turn.fault === 'status') {
    const body = turn.body ?? errorBody(`this turn of the script is status ${turn.status}`);
    response.writeHead(turn.status, { 'content-type': 'application/json', ...turn.headers }).end(body);
  } else if (turn.fault === 'garbage') {
    begin(response, request);
    response.end(request.isStreaming ? 'data: not JSON\n\ndata: {"not":"a chunk"}\n\n' : '<p>Not JSON</p>');
  } else if (turn.fault !== 'hang') {
    begin(response, request);
    const body = Buffer.from(bodyOf(protocol, request, turn.turn ?? { text: lorem }).join(''));
    // The response has no length and is not ended, so even the whole body counts as interrupted.
    response.write(body.subarray(0, turn.after));
    // Delayed, so that the client has read what was sent before the connection closes.
    if (turn.fault === 'cut') setTimeout(() => response.destroy(), 50);
  }
}

/** An error body in which the clients of every protocol, including Mistral, find the message. */
export function errorBody(message: string): string {
  const error = { type: 'api_error', message };
  return JSON.stringify({ type: 'error', error, object: 'error', message, param: null, code: null });
}

const lorem = 'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor. '.repeat(50);

function begin(response: ServerResponse, { isStreaming }: SeenRequest): void {
  response.writeHead(200, { 'content-type': isStreaming ? 'text/event-stream' : 'application/json' });
  response.flushHeaders();
}

function bodyOf(protocol: Protocol, request: SeenRequest, reply: Reply): string[] {
  if (request.isStreaming) return protocol.stream(request, reply);
  return [JSON.stringify(protocol.answer(request, reply))];
}
