import type { UpdateFile } from '../contract/index.ts';
import { freeName, portableStem } from '../vault/index.ts';
import { packDocument } from './pack-document.ts';
import type { Conversion, Document, Taken, Transcribe } from './port.ts';
import type { Sandbox } from './sandbox.ts';
import { createIntake } from './take-in.ts';
import type { Intake } from './take-in.ts';

/** Told of each document when it is its turn. */
type DocumentProgress = (name: string) => void;

type Prepared = {
  kind: 'prepared';
  /** What an update takes: markdown, pictures, and the originals that the markdown names. */
  files: UpdateFile[];
  /** What was lost on the way, each a sentence that names the document. */
  warnings: string[];
};

export type PrepareOptions = { signal?: AbortSignal; onProgress?: DocumentProgress };

type InspectedDocument =
  | { kind: 'refused'; reason: string }
  | { kind: 'readable'; metadata: Conversion['metadata']; attachments: number; warnings: string[] };

export type Documents = {
  /** Turns documents into what can be filed. When one cannot be, nothing should be accepted. */
  prepare(
    documents: readonly Document[],
    options?: PrepareOptions,
  ): Promise<Prepared | { kind: 'refused'; name: string; reason: string }>;
  /** What becomes of one, without filing it; a recording is not listened to. */
  inspect(document: Document): Promise<InspectedDocument>;
  close(): void;
};

/** Processes that convert are started when a document first needs them. */
export function openDocuments(transcribe: Transcribe, sandbox: Sandbox): Documents {
  const reading = createIntake({ transcribe, sandbox });
  const inspecting = createIntake({
    sandbox,
    transcribe: async () => ({ text: 'It is transcribed when it is filed.', warnings: [] }),
  });
  return {
    prepare: (documents, options) => prepareDocuments(documents, reading, options),
    inspect: async (document) => describeTaken(await inspecting.takeIn(document, uniqueStems())),
    close() {
      reading.close();
      inspecting.close();
    },
  };
}

/** Gives each document a stem that no other has: the names of its files begin with it. `taken` are in lower case. */
export function uniqueStems(
  wanted: (name: string) => string = portableStem,
  taken: Iterable<string> = [],
): (name: string) => string {
  const stems = new Set(taken);
  return (name) => {
    const stem = freeName(wanted(name), (each) => stems.has(each.toLowerCase()));
    stems.add(stem.toLowerCase());
    return stem;
  };
}

async function prepareDocuments(
  documents: readonly Document[],
  intake: Intake,
  { signal, onProgress = () => undefined }: PrepareOptions = {},
): ReturnType<Documents['prepare']> {
  // What these two are in an inbox item is fixed.
  const stemOf = uniqueStems(portableStem, ['review', 'original']);
  const prepared: Prepared = { kind: 'prepared', files: [], warnings: [] };
  for (const document of documents) {
    onProgress(document.name);
    const taken = await intake.takeIn(document, stemOf, signal);
    if (taken.outcome.kind === 'refused')
      return { kind: 'refused', name: document.name, reason: taken.outcome.reason };
    prepared.files.push(...packDocument(taken));
    prepared.warnings.push(...documentWarnings(taken));
  }
  return prepared;
}

function describeTaken(taken: Taken): InspectedDocument {
  const { outcome, inside } = taken;
  if (outcome.kind === 'refused') return { kind: 'refused', reason: outcome.reason };
  const attachments = inside.filter((each) => each.outcome.kind === 'converted').length;
  return { kind: 'readable', metadata: outcome.metadata, attachments, warnings: documentWarnings(taken) };
}

/** What was lost of a document and of what lay in it, each naming the document. */
export function documentWarnings({ document, outcome, inside }: Taken): string[] {
  const own = outcome.kind === 'refused' ? [outcome.reason] : outcome.warnings;
  return [...own.map((warning) => `${document.name}: ${warning}`), ...inside.flatMap(documentWarnings)];
}
