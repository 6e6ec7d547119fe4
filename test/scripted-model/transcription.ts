import type { IncomingHttpHeaders } from 'node:http';
import type { Protocol } from './protocol.ts';
import type { SeenRecording } from './seen-request.ts';

/** The transcription protocol of OpenAI and Mistral. */
export const transcription: Protocol = {
  name: 'transcription',
  path: '/audio/transcriptions',
  read: () => ({
    system: '',
    toolNames: [],
    userTexts: [],
    toolResults: [],
    images: { inToolResults: 0, inUserMessages: 0 },
  }),
  answer: ({ body }, { text = '' }) => ({ model: body['model'], text }),
  stream: () => [],
};

/** The fields of a form and the file in it. */
export async function readForm(
  bytes: Buffer,
  { 'content-type': type = '' }: IncomingHttpHeaders,
): Promise<{ body: Record<string, unknown>; recording: SeenRecording | null }> {
  const form = await new Response(Uint8Array.from(bytes), { headers: { 'content-type': type } }).formData();
  const file = form.get('file');
  return {
    body: Object.fromEntries([...form].filter(([, value]) => typeof value === 'string')),
    recording: file instanceof File ? { name: file.name, mediaType: file.type, bytes: file.size } : null,
  };
}
