import { describeError } from '../contract/index.ts';
import type { Conversion, Recording, Rejection, Transcribe } from './document.ts';
import { refuse } from './rejection.ts';
import { rejectOnAbort } from './abort-rejection.ts';

const transcriptionTimeoutMs = 5 * 60_000;

/** Turns a failure or a timeout of the model into a rejection, so that the rest of the update is not lost. */
export async function transcribeRecording(
  recording: Recording,
  transcribe: Transcribe | undefined,
  signal: AbortSignal,
): Promise<Conversion | Rejection> {
  if (transcribe === undefined) {
    return refuse(
      'no-transcription',
      'no transcription model is configured for recordings; see: keepsake config transcription --help',
    );
  }
  const timeout = AbortSignal.timeout(transcriptionTimeoutMs);
  const stopped = AbortSignal.any([signal, timeout]);
  try {
    const { text, warnings } = await Promise.race([transcribe(recording, stopped), rejectOnAbort(stopped)]);
    if (text.trim() === '') return refuse('empty', 'no speech was found in the recording');
    const metadata = { type: 'audio' as const };
    return { kind: 'converted', markdown: text, images: [], metadata, warnings, attachments: [] };
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted)
      return refuse('too-slow', 'transcription timed out after 5 minutes; split the recording');
    return refuse('no-transcription', `transcription failed: ${describeError(error)}`);
  }
}
