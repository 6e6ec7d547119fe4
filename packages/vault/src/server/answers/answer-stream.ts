import type { Answers, AnswerEvent } from './answers.ts';

type AnswerStreamOptions = {
  principalId: string;
  id: string;
  /** The number of the last step that the client has received. */
  after: number;
  heartbeatIntervalMs: number;
};

/** Streams a running answer as server-sent events; the last event is the finished answer. */
export function createAnswerStream(
  answers: Answers,
  { principalId, id, after, heartbeatIntervalMs }: AnswerStreamOptions,
): ReadableStream<Uint8Array> {
  let timer: NodeJS.Timeout | undefined;
  let end = (): void => undefined;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string): void => controller.enqueue(Buffer.from(text));
      // Steps and text of a run are bounded, so the queue of this stream is bounded, too.
      const forward = (event: AnswerEvent): void => {
        if (event.kind === 'step') return send(`id: ${event.number}\n${frame('step', event.event)}`);
        if (event.kind === 'passages') return send(frame('passages', event.passages));
        if (event.kind === 'text') return send(frame('text', { text: event.text }));
        clearInterval(timer);
        const answer = answers.find(principalId, id);
        if (answer !== null) send(frame('answer', answer));
        controller.close();
      };
      timer = setInterval(() => send(': heartbeat\n\n'), heartbeatIntervalMs);
      end = answers.subscribe(id, after, forward);
    },
    cancel() {
      clearInterval(timer);
      end();
    },
  });
}

function frame(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
