import type { UpdateInput, VaultSize } from '../contract/index.ts';
import { openDocuments } from '../intake/index.ts';
import type { Documents, PrepareOptions, Sandbox } from '../intake/index.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';
import { transcriberOf } from './transcription.ts';
import type { Updates } from './updates.ts';

/** Takes in an update whose files may be documents of any kind. Returns once it would survive a power loss. */
export type AcceptUpdate = (
  input: UpdateInput,
  options?: AcceptOptions,
) => Promise<{ id: string; warnings: string[] }>;

type AcceptOptions = PrepareOptions & {
  /** The idempotency key: a second call with the same key returns the update of the first. */
  key?: string | undefined;
};

type Parts = {
  documents: Pick<Documents, 'prepare'>;
  updates: Pick<Updates, 'accept'>;
  checkQuota: (growth: VaultSize) => Promise<void>;
};

export function createAcceptUpdate({ documents, updates, checkQuota }: Parts): AcceptUpdate {
  return async (input, { key, ...options } = {}) => {
    // An update that does not fit would only wait in the queue.
    await checkQuota(sizeOf(input));
    const prepared = await documents.prepare(input.files, options);
    if (prepared.kind === 'refused') throw new AppError('bad-input', `${prepared.name}: ${prepared.reason}`);
    const { id } = await updates.accept({ ...input, files: prepared.files }, key);
    return { id, warnings: prepared.warnings };
  };
}

/** Documents whose recordings are transcribed by the model that is configured when one arrives. */
export function openTranscribingDocuments(environment: Environment, sandbox: Sandbox): Documents {
  return openDocuments((recording, signal) => {
    const transcribe = transcriberOf(environment);
    if (transcribe !== null) return transcribe(recording, signal);
    throw new AppError('no-model', 'no model for it is configured', {
      mend: 'see: keepsake config transcription --help',
    });
  }, sandbox);
}

function sizeOf({ text, files }: UpdateInput): VaultSize {
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, Buffer.byteLength(text));
  return { bytes, files: files.length };
}
