import type { UpdateFile } from '../contract/index.ts';
import { findFreeName, portableStem } from '../vault/index.ts';
import { packDocument } from './document-files.ts';
import type { Conversion, Document, IntakeResult, Rejection, Transcribe } from './document.ts';
import type { Sandbox } from './sandbox.ts';
import { createIntake } from './intake.ts';
import type { DocumentText, Intake, IntakeRequest } from './intake.ts';

/** Called with the name of each document before it is converted. */
type DocumentProgress = (name: string) => void;

type PrepareResult = {
  kind: 'prepared';
  /** The files for an update: markdown, images, and the originals that the markdown links to. */
  files: UpdateFile[];
  /** What the conversion lost, as sentences that name the document. */
  warnings: string[];
};

export type PrepareOptions = IntakeRequest & { onProgress?: DocumentProgress };

type DocumentInfo =
  | { kind: 'refused'; reason: string }
  | { kind: 'readable'; metadata: Conversion['metadata']; attachments: number; warnings: string[] };

export type DocumentService = {
  /** Converts documents into files for an update. When one is rejected, the caller should accept none of them. */
  prepare(
    documents: readonly Document[],
    options?: PrepareOptions,
  ): Promise<PrepareResult | { kind: 'refused'; name: string; reason: string }>;
  /** Converts a document without filing it. Recordings are not transcribed. */
  inspect(document: Document, options?: IntakeRequest): Promise<DocumentInfo>;
  /** The text of a document for search; see `Intake.readText`. */
  readText(document: Document, options?: IntakeRequest): Promise<DocumentText | Rejection>;
  close(): void;
};

/** Starts the converter processes when a document first needs them. */
export function openDocuments(transcribe: Transcribe, sandbox: Sandbox): DocumentService {
  const reading = createIntake({ transcribe, sandbox });
  // Converts in a process of its own: what a person adds does not wait for documents that are only indexed.
  const indexing = createIntake({ sandbox });
  const inspecting = createIntake({
    sandbox,
    transcribe: async () => ({ text: 'The recording is transcribed when it is filed.', warnings: [] }),
  });
  return {
    prepare: (documents, options) => convertAll(documents, reading, options),
    inspect: async (document, options) =>
      toDocumentInfo(await inspecting.takeIn(document, uniqueStems(), options)),
    readText: (document, options) => indexing.readText(document, options),
    close() {
      indexing.close();
      reading.close();
      inspecting.close();
    },
  };
}

/**
 * Returns a function that gives each document a unique stem: the start of the names of its files. `usedStems` are in
 * lower case.
 */
export function uniqueStems(
  toStem: (name: string) => string = portableStem,
  usedStems: Iterable<string> = [],
): (name: string) => string {
  const stems = new Set(usedStems);
  return (name) => {
    const stem = findFreeName(toStem(name), (each) => stems.has(each.toLowerCase()));
    stems.add(stem.toLowerCase());
    return stem;
  };
}

async function convertAll(
  documents: readonly Document[],
  intake: Intake,
  { onProgress = () => undefined, ...options }: PrepareOptions = {},
): ReturnType<DocumentService['prepare']> {
  // These two names have a fixed meaning in an inbox item.
  const stemOf = uniqueStems(portableStem, ['review', 'original']);
  const prepared: PrepareResult = { kind: 'prepared', files: [], warnings: [] };
  for (const document of documents) {
    onProgress(document.name);
    const result = await intake.takeIn(document, stemOf, options);
    if (result.outcome.kind === 'refused')
      return { kind: 'refused', name: document.name, reason: result.outcome.reason };
    prepared.files.push(...packDocument(result));
    prepared.warnings.push(...documentWarnings(result));
  }
  return prepared;
}

function toDocumentInfo(result: IntakeResult): DocumentInfo {
  const { outcome, inside } = result;
  if (outcome.kind === 'refused') return { kind: 'refused', reason: outcome.reason };
  const attachments = inside.filter((each) => each.outcome.kind === 'converted').length;
  return { kind: 'readable', metadata: outcome.metadata, attachments, warnings: documentWarnings(result) };
}

/** What the conversion of a document and its attachments lost; each sentence names the document. */
export function documentWarnings({ document, outcome, inside }: IntakeResult): string[] {
  const own = outcome.kind === 'refused' ? [outcome.reason] : outcome.warnings;
  return [...own.map((warning) => `${document.name}: ${warning}`), ...inside.flatMap(documentWarnings)];
}
