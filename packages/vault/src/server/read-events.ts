import { setTimeout as sleep } from 'node:timers/promises';
import { keepsakeEvent } from '../contract/index.ts';
import type { KeepsakeEvent } from '../contract/index.ts';

const pause = 1_000;

/** Follows a stream of events, and takes it up again when it ends. Gives a function that stops it. */
export function readEvents(
  connect: (signal: AbortSignal) => Promise<Response>,
  listener: (event: KeepsakeEvent) => void,
): () => void {
  const stopping = new AbortController();
  const follow = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const { body } = await connect(stopping.signal);
        if (body !== null) for await (const event of eventsIn(body)) listener(event);
      } catch {
        // Gone for the moment: whoever serves the vault next is asked in a moment.
      }
      await sleep(pause, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  };
  void follow();
  return () => stopping.abort();
}

/** The events of a stream of server-sent events; whatever else it carries is passed over. */
async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<KeepsakeEvent> {
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const data = message
        .split('\n')
        .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trim()] : []));
      const parsed = data.length === 0 ? null : keepsakeEvent.safeParse(parseJson(data.join('\n')));
      if (parsed?.success === true) yield parsed.data;
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
