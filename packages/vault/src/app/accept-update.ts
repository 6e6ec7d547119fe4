import { findProjectOfNote } from '../agents/index.ts';
import type { UpdateInput, VaultSize } from '../contract/index.ts';
import { openDocuments } from '../intake/index.ts';
import type { DocumentService, PrepareOptions, Sandbox } from '../intake/index.ts';
import type { Language, VaultView } from '../vault/index.ts';
import { computeContentHash } from './content-hash.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';
import { maskInput } from './mask-input.ts';
import { createConfiguredTranscriber } from './transcription.ts';
import type { Updates } from './updates.ts';

/**
 * Accepts an update whose files may be documents of any type. Returns once the update would survive a power loss. `warnings` are
 * sentences about parts that could not be read, and about secrets, which are masked.
 */
export type AcceptUpdate = (
  input: UpdateInput,
  options?: AcceptOptions,
) => Promise<{ id: string; warnings: string[] }>;

type AcceptOptions = PrepareOptions & {
  /** The idempotency key: a second call with the same key returns the update of the first. */
  key?: string | undefined;
};

type Dependencies = {
  documents: Pick<DocumentService, 'prepare'>;
  agents: { updates: Pick<Updates, 'accept'> };
  checkQuota: (growth: VaultSize) => Promise<void>;
  /** The vault that users see. */
  view: VaultView;
  /** The vault that clients see. */
  restricted: { view: VaultView };
  language: Language;
};

export function createAcceptUpdate({
  documents,
  agents,
  checkQuota,
  view,
  restricted,
  language,
}: Dependencies): AcceptUpdate {
  return async (input, { key, ...options } = {}) => {
    if (input.asNote === true) {
      // A note for a project that does not exist could never be saved.
      const project = await findProjectOfNote(input, input.isFromClient === true ? restricted.view : view);
      if ('problem' in project) throw new AppError('bad-input', project.problem);
    }
    // An update that exceeds the quota could never be filed.
    await checkQuota(inputSize(input));
    const prepared = await documents.prepare(input.files, options);
    if (prepared.kind === 'refused') throw new AppError('bad-input', `${prepared.name}: ${prepared.reason}`);
    const contentHash = await computeContentHash(input);
    const masked = await maskInput({ ...input, files: prepared.files }, key, language);
    const { id } = await agents.updates.accept(masked.input, { key, contentHash, secrets: masked.secrets });
    return { id, warnings: [...prepared.warnings, ...masked.warnings] };
  };
}

export function acceptFromClient(accept: AcceptUpdate): AcceptUpdate {
  return (input, options) => accept({ ...input, isFromClient: true }, options);
}

/** Opens the document service. A recording is transcribed by the model that is configured when it arrives. */
export function openTranscribingDocuments(environment: Environment, sandbox: Sandbox): DocumentService {
  return openDocuments((recording, signal) => {
    const transcribe = createConfiguredTranscriber(environment);
    if (transcribe !== null) return transcribe(recording, signal);
    throw new AppError('no-model', 'no transcription model is configured', {
      hint: 'choose one with: keepsake config transcription <model>',
    });
  }, sandbox);
}

function inputSize({ text, files }: UpdateInput): VaultSize {
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, Buffer.byteLength(text));
  return { bytes, files: files.length };
}
