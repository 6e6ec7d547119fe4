import { createTimeZone } from '../contract/index.ts';
import { createConvertingProcess } from './converter-process.ts';
import { detectKind } from './detect.ts';
import { defaultLimits } from './limits.ts';
import type { Conversion, Document, Limits, Rejection, IntakeResult, Transcribe } from './document.ts';
import { refuse } from './rejection.ts';
import type { Sandbox } from './sandbox.ts';
import { fileType } from './file-signatures.ts';
import { transcribeRecording } from './transcribe-recording.ts';

export type Intake = {
  /**
   * Converts a document with all of its attachments. A bad document results in a rejection, not in an error. Throws when aborted or closed,
   * or when the converter process does not work at all. `stemOf` returns a unique portable stem for each document.
   */
  takeIn(
    document: Document,
    stemOf: (name: string) => string,
    options?: IntakeRequest,
  ): Promise<IntakeResult>;
  /** The text of a document for search: without images and attachments, and with a heading for each page of a PDF. */
  readText(document: Document, options?: IntakeRequest): Promise<DocumentText | Rejection>;
  close(): void;
};

/** `pages` is the number of pages of a PDF, otherwise null; `warnings` tell the user what was lost. */
export type DocumentText = { kind: 'text'; markdown: string; pages: number | null; warnings: string[] };

export type IntakeRequest = {
  signal?: AbortSignal;
  /** Identifies the client: documents of different callers are converted in turn. */
  caller?: string;
};

/** Shared by a document and all of its attachments. */
type IntakeContext = {
  stemOf: (name: string) => string;
  signal: AbortSignal;
  caller: string;
  left: { milliseconds: number; attachments: number };
};

type IntakeOptions = { limits?: Partial<Limits>; transcribe?: Transcribe; sandbox?: Sandbox };

const scanned = refuse(
  'empty',
  'the document has no text; if its pages are scans, open the file itself or run text recognition (OCR) on it',
);

const withoutSandbox: Sandbox = { command: null, isRequired: false, onUnavailable: () => undefined };

export function createIntake(options: IntakeOptions = {}): Intake {
  const limits: Limits = { ...defaultLimits, ...options.limits };
  const converting = createConvertingProcess(limits.memoryBytes, options.sandbox ?? withoutSandbox);
  const closing = new AbortController();

  const take = async (document: Document, depth: number, context: IntakeContext): Promise<IntakeResult> => {
    context.signal.throwIfAborted();
    const stem = context.stemOf(document.name);
    const outcome = checkAttachment(depth, context) ?? (await read(document, stem, context));
    const inside: IntakeResult[] = [];
    if (outcome.kind === 'converted') {
      for (const attachment of outcome.attachments) inside.push(await take(attachment, depth + 1, context));
    }
    return { document, stem, outcome, inside };
  };

  const checkAttachment = (depth: number, { left }: IntakeContext): Rejection | null => {
    if (depth === 0) return null;
    if (depth > limits.nesting)
      return refuse('too-large', 'nested too deeply in other documents; add it separately');
    if (left.attachments === 0) {
      return refuse('too-large', `more than ${limits.attachments} attachments; add it separately`);
    }
    left.attachments -= 1;
    return null;
  };

  const read = async (
    document: Document,
    stem: string,
    context: IntakeContext,
  ): Promise<Conversion | Rejection> => {
    if (document.bytes.length > limits.documentBytes) {
      return refuse('too-large', `the document exceeds ${limits.documentBytes / 1e6} MB; split it`);
    }
    const kind = detectKind(document);
    if (typeof kind !== 'string') return kind;
    if (kind === 'image') return importImage(document, stem, limits);
    if (kind === 'audio') {
      const recording = { ...document, mediaType: fileType(document.bytes).mediaType };
      return transcribeRecording(recording, options.transcribe, context.signal);
    }
    const job = { kind, document, options: { stem, limits, ...place() } };
    return converting.convert(job, context.left, context.signal, context.caller);
  };

  const untilClosed = (signal: AbortSignal | undefined): AbortSignal =>
    AbortSignal.any([closing.signal, ...(signal === undefined ? [] : [signal])]);

  return {
    takeIn: (document, stemOf, { signal, caller = '' } = {}) =>
      take(document, 0, {
        stemOf,
        caller,
        signal: untilClosed(signal),
        left: { milliseconds: limits.milliseconds, attachments: limits.attachments },
      }),
    async readText(document, { signal, caller = '' } = {}) {
      const kind = detectKind(document);
      if (typeof kind !== 'string') return kind;
      if (kind === 'image' || kind === 'audio') return refuse('unsupported', 'the file contains no text');
      const job = { kind, document, options: { stem: '', limits, isTextOnly: true, ...place() } };
      const left = { milliseconds: limits.milliseconds };
      const outcome = await converting.convert(job, left, untilClosed(signal), caller);
      if (outcome.kind === 'refused') return kind === 'pdf' && outcome.code === 'empty' ? scanned : outcome;
      const { markdown, metadata, warnings } = outcome;
      return { kind: 'text', markdown, pages: metadata.pages ?? null, warnings };
    },
    close: () => {
      closing.abort(new Error('document intake is closed'));
      converting.close();
    },
  };
}

/** Where and when a document is converted: a sandbox has no time zone. */
function place(): { timeZone: string; now: number } {
  return { timeZone: createTimeZone().name, now: Date.now() };
}

function importImage({ bytes }: Document, stem: string, { imageBytes }: Limits): Conversion | Rejection {
  if (bytes.length > imageBytes) {
    return refuse('too-large', `the image exceeds ${imageBytes / 1e6} MB; reduce its size`);
  }
  const images = [{ name: `${stem}.${fileType(bytes).extension}`, bytes }];
  return {
    kind: 'converted',
    markdown: '',
    images,
    metadata: { type: 'image' },
    warnings: [],
    attachments: [],
  };
}
