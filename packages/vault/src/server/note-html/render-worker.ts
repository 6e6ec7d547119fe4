import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import type { ReadImage } from './embed-images.ts';
import { renderNoteHtml } from './note-html.ts';
import type { NoteHtmlRequest } from './note-html.ts';
import type { RenderMessage } from './render-in-worker.ts';

const port = parentPort;
if (port === null) throw new Error('this file runs in a thread');
const send = (message: RenderMessage): void => port.postMessage(message);

const readImage: ReadImage = async (image) => {
  send({ image });
  const [read] = (await once(port, 'message')) as [Awaited<ReturnType<ReadImage>>];
  return read;
};

send({ page: await renderNoteHtml(workerData as NoteHtmlRequest, readImage) });
