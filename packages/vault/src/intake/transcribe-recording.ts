import { describeError } from '../contract/index.ts';
import type { Conversion, Recording, Refusal, Transcribe } from './port.ts';
import { refuse } from './refusal.ts';
import { whenAborted } from './when-aborted.ts';

const patience = 5 * 60_000;

/** A model that fails or takes too long is no reason to lose what the recording came with. */
export async function transcribeRecording(
  recording: Recording,
  transcribe: Transcribe | undefined,
  signal: AbortSignal,
): Promise<Conversion | Refusal> {
  if (transcribe === undefined) {
    return refuse(
      'no-transcription',
      'it is a recording, and no model for transcription is configured; see: keepsake config transcription --help',
    );
  }
  const timeout = AbortSignal.timeout(patience);
  const stopped = AbortSignal.any([signal, timeout]);
  try {
    const { text, warnings } = await Promise.race([transcribe(recording, stopped), whenAborted(stopped)]);
    if (text.trim() === '') return refuse('empty', 'it is a recording in which no words were found');
    const metadata = { type: 'audio' as const };
    return { kind: 'converted', markdown: text, images: [], metadata, warnings, attachments: [] };
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted)
      return refuse('too-slow', 'it is a recording, and transcribing it took over 5 minutes');
    return refuse(
      'no-transcription',
      `it is a recording, and transcribing it failed: ${describeError(error)}`,
    );
  }
}
