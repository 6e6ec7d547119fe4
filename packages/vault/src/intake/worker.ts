import { closeNetwork } from './close-network.ts';
import { convert } from './convert.ts';
import type { ConvertedKind } from './convert.ts';
import { endWithParent } from './end-with-parent.ts';
import type { Conversion, ConvertOptions, Document, Refusal } from './port.ts';

export type Job = { kind: ConvertedKind; document: Document; options: ConvertOptions };
export type Answer = Conversion | Refusal | { kind: 'ready' } | { kind: 'broken'; message: string };

closeNetwork();
endWithParent();
process.on('SIGINT', () => undefined); // Ctrl+C is for who started us, who may want to finish
process.on('message', ({ kind, document, options }: Job) => {
  convert(kind, { ...document, bytes: plain(document.bytes) }, options).then(answer, (error: unknown) =>
    answer({ kind: 'broken', message: String(error) }),
  );
});
answer({ kind: 'ready' });

/** A Buffer's `slice` is not that of other bytes, and PDF.js refuses one. */
function plain({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function answer(message: Answer): void {
  process.send?.(message);
}
