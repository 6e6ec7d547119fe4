import type { HttpBindings } from '@hono/node-server';

type Incoming = HttpBindings['incoming'];

/** The methods of which a body has a meaning (RFC 9110). */
const methodsWithBody = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Refuses requests whose body another HTTP implementation may take for the next request on the connection, and everything
 * that follows on that connection. Node.js itself refuses contradictory lengths. Returns null for any other request.
 */
export function createFramingCheck(): (incoming: Incoming) => Response | null {
  const unclear = new WeakSet<Incoming['socket']>();
  return (incoming) => {
    const { socket } = incoming;
    const reason = unclear.has(socket)
      ? 'the previous request on this connection was refused'
      : findFault(incoming);
    if (reason === null) return null;
    unclear.add(socket);
    return new Response(
      JSON.stringify({ status: 400, title: 'Bad request', code: 'bad-request', detail: reason }),
      {
        status: 400,
        headers: { 'content-type': 'application/problem+json', connection: 'close' },
      },
    );
  };
}

function findFault({ method = '', headers, httpVersion }: Incoming): string | null {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  if (encoding !== undefined && (encoding.toLowerCase() !== 'chunked' || httpVersion !== '1.1'))
    return 'the only transfer coding is chunked, with HTTP/1.1';
  if ((encoding !== undefined || Number(length) > 0) && !methodsWithBody.has(method))
    return `a ${method} request has no body`;
  return null;
}
