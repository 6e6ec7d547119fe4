import { createConvertingProcess } from './converting-process.ts';
import { detectKind } from './detect.ts';
import { defaultLimits } from './limits.ts';
import type { Conversion, Document, Limits, Refusal, Taken, Transcribe } from './port.ts';
import { refuse } from './refusal.ts';
import type { Sandbox } from './sandbox.ts';
import { fileTypeOf } from './signatures.ts';
import { transcribeRecording } from './transcribe-recording.ts';

export type Intake = {
  /**
   * Takes in a document with everything inside of it; what is wrong with it is a refusal. Throws when aborted, closed, or
   * when the process that converts does not work at all. `stemOf` gives each document a portable stem of its own.
   */
  takeIn(document: Document, stemOf: (name: string) => string, signal?: AbortSignal): Promise<Taken>;
  close(): void;
};

/** What a document shares with everything inside of it. */
type TakeInContext = {
  stemOf: (name: string) => string;
  signal: AbortSignal;
  left: { milliseconds: number; attachments: number };
};

type IntakeOptions = { limits?: Partial<Limits>; transcribe?: Transcribe; sandbox?: Sandbox };

const withoutSandbox: Sandbox = { command: null, isRequired: false, onUnusable: () => undefined };

export function createIntake(options: IntakeOptions = {}): Intake {
  const limits: Limits = { ...defaultLimits, ...options.limits };
  const converting = createConvertingProcess(limits.memoryBytes, options.sandbox ?? withoutSandbox);
  const closing = new AbortController();

  const take = async (document: Document, depth: number, context: TakeInContext): Promise<Taken> => {
    context.signal.throwIfAborted();
    const stem = context.stemOf(document.name);
    const outcome = refuseInside(depth, context) ?? (await read(document, stem, context));
    const inside: Taken[] = [];
    if (outcome.kind === 'converted') {
      for (const attachment of outcome.attachments) inside.push(await take(attachment, depth + 1, context));
    }
    return { document, stem, outcome, inside };
  };

  const refuseInside = (depth: number, { left }: TakeInContext): Refusal | null => {
    if (depth === 0) return null;
    if (depth > limits.nesting)
      return refuse('too-large', 'it lies too deep inside of other documents; give it alone');
    if (left.attachments === 0) {
      return refuse('too-large', `it comes after ${limits.attachments} other attachments; give it alone`);
    }
    left.attachments -= 1;
    return null;
  };

  const read = async (
    document: Document,
    stem: string,
    context: TakeInContext,
  ): Promise<Conversion | Refusal> => {
    if (document.bytes.length > limits.documentBytes) {
      return refuse('too-large', `it is over ${limits.documentBytes / 1e6} MB; split it`);
    }
    const kind = detectKind(document);
    if (typeof kind !== 'string') return kind;
    if (kind === 'image') return keepImage(document, stem, limits);
    if (kind === 'audio') {
      const recording = { ...document, mediaType: fileTypeOf(document.bytes).mediaType };
      return transcribeRecording(recording, options.transcribe, context.signal);
    }
    return converting.convert({ kind, document, options: { stem, limits } }, context.left, context.signal);
  };

  return {
    takeIn: (document, stemOf, signal) =>
      take(document, 0, {
        stemOf,
        signal: AbortSignal.any([closing.signal, ...(signal === undefined ? [] : [signal])]),
        left: { milliseconds: limits.milliseconds, attachments: limits.attachments },
      }),
    close: () => {
      closing.abort(new Error('no documents are taken in any more'));
      converting.close();
    },
  };
}

function keepImage({ bytes }: Document, stem: string, { imageBytes }: Limits): Conversion | Refusal {
  if (bytes.length > imageBytes) {
    return refuse('too-large', `as a picture it may have ${imageBytes / 1e6} MB at most; make it smaller`);
  }
  const images = [{ name: `${stem}.${fileTypeOf(bytes).extension}`, bytes }];
  return {
    kind: 'converted',
    markdown: '',
    images,
    metadata: { type: 'image' },
    warnings: [],
    attachments: [],
  };
}
