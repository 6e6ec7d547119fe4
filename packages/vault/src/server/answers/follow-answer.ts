import type { Answers, AnswerEvent } from './answers.ts';

type Followed = {
  asker: string;
  id: string;
  /** The number of the last step that is known. */
  after: number;
  /** Milliseconds between two signs of life. */
  heartbeat: number;
};

/** An answer as it is made, as server-sent events, up to what came of it. */
export function followAnswer(
  answers: Answers,
  { asker, id, after, heartbeat }: Followed,
): ReadableStream<Uint8Array> {
  let timer: NodeJS.Timeout | undefined;
  let end = (): void => undefined;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string): void => controller.enqueue(Buffer.from(text));
      // A run has a bounded number of steps, and writes a bounded text, so what waits here is bounded, too.
      const tell = (event: AnswerEvent): void => {
        if (event.kind === 'step') return send(`id: ${event.number}\n${frame('step', event.event)}`);
        if (event.kind === 'text') return send(frame('text', { text: event.text }));
        clearInterval(timer);
        const answer = answers.find(asker, id);
        if (answer !== null) send(frame('answer', answer));
        controller.close();
      };
      timer = setInterval(() => send(': still here\n\n'), heartbeat);
      end = answers.follow(id, after, tell);
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
