import { Worker } from 'node:worker_threads';
import { createLimiter } from '../../contract/index.ts';
import type { ReadImage } from './embed-images.ts';
import type { NoteHtmlRequest } from './note-html.ts';

const worker = new URL(
  import.meta.url.endsWith('.ts') ? './render-worker.ts' : '../server/note-html/render-worker.js',
  import.meta.url,
);

/** A text can be written so that parsing it takes hours. */
const defaultTimeoutMs = 30_000;

/** From the thread: an image that it needs, which is sent back, or the finished page. */
export type RenderMessage = { image: string } | { page: string };

export type RenderNote = (request: NoteHtmlRequest, readImage: ReadImage) => Promise<string | null>;

/**
 * Renders one note at a time in a thread, so that other requests are answered meanwhile. Null if it takes longer or
 * needs more memory than a note does.
 */
export function createNoteRenderer(timeoutMs = defaultTimeoutMs): RenderNote {
  const runOne = createLimiter();
  return (request, readImage) => runOne(() => render(request, readImage, timeoutMs));
}

function render(request: NoteHtmlRequest, readImage: ReadImage, timeoutMs: number): Promise<string | null> {
  const { promise, resolve, reject } = Promise.withResolvers<string | null>();
  const thread = new Worker(worker, {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  const timer = setTimeout(() => resolve(null), timeoutMs);
  thread.on('message', (message: RenderMessage) => {
    if ('page' in message) resolve(message.page);
    else readImage(message.image).then((image) => thread.postMessage(image), reject);
  });
  thread.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve(null);
    else reject(error);
  });
  thread.once('exit', () => reject(new Error('the thread that renders notes exited without a result')));
  return promise.finally(() => {
    clearTimeout(timer);
    void thread.terminate();
  });
}
