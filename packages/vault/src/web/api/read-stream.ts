/** One event of a stream: its name and its data, as text. */
export type StreamEvent = { event: string; data: string };

/** Reads server-sent events from a response body as they arrive. Comments and ids are ignored. */
export async function* readStream(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const frames = (rest + value).split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        const event = parseFrame(frame);
        if (event !== null) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseFrame(frame: string): StreamEvent | null {
  const lines = frame.split('\n');
  const field = (name: string): string[] =>
    lines.flatMap((line) => (line.startsWith(`${name}: `) ? [line.slice(name.length + 2)] : []));
  const data = field('data');
  return data.length === 0 ? null : { event: field('event')[0] ?? 'message', data: data.join('\n') };
}
