import { disableNetwork } from './disable-network.ts';
import { convert } from './convert.ts';
import type { ConvertibleKind } from './convert.ts';
import { exitWithParent } from './exit-with-parent.ts';
import type { Conversion, ConvertOptions, Document, Rejection } from './document.ts';

export type Job = { kind: ConvertibleKind; document: Document; options: ConvertOptions };
export type Answer = Conversion | Rejection | { kind: 'ready' } | { kind: 'broken'; message: string };

disableNetwork();
exitWithParent();
process.on('SIGINT', () => undefined); // Ctrl+C is for the parent process, which may want to finish its work
process.on('message', ({ kind, document, options }: Job) => {
  convert(kind, { ...document, bytes: toPlainUint8Array(document.bytes) }, options).then(
    answer,
    (error: unknown) => answer({ kind: 'broken', message: String(error) }),
  );
});
answer({ kind: 'ready' });

/** PDF.js rejects a Buffer, because its `slice` differs from that of a Uint8Array. */
function toPlainUint8Array({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function answer(message: Answer): void {
  process.send?.(message);
}
