import { parentPort, workerData } from 'node:worker_threads';
import { renderNoteHtml } from './note-html.ts';
import type { NoteHtmlRequest } from './note-html.ts';

parentPort?.postMessage(await renderNoteHtml(workerData as NoteHtmlRequest));
