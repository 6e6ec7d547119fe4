import { createHash } from 'node:crypto';
import { onePage, stream, words } from './pdf-file.ts';

const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');

/** Encrypted as in PDF 1.1 (40-bit RC4) with the password `secret`. */
export function lockedPdf(): Buffer {
  const padded = Buffer.concat([Buffer.from('secret'), padding]).subarray(0, 32);
  const owner = rc4(md5(padded).subarray(0, 5), padded);
  const id = Buffer.alloc(16, 1);
  const key = md5(padded, owner, Buffer.from([0xfc, 0xff, 0xff, 0xff]), id).subarray(0, 5);
  const hex = (bytes: Buffer): string => `<${bytes.toString('hex')}>`;
  const keyOf = (object: number): Buffer => md5(key, Buffer.from([object, 0, 0, 0, 0])).subarray(0, 10);
  const plain = onePage(stream(rc4(keyOf(4), Buffer.from(words('nobody reads this')))), {
    more: [`<< /Filter /Standard /V 1 /R 2 /P -4 /O ${hex(owner)} /U ${hex(rc4(key, padding))} >>`],
  });
  const trailer = `/Encrypt 6 0 R /ID [${hex(id)} ${hex(id)}] >>\nstartxref`;
  return Buffer.from(plain.toString('latin1').replace('>>\nstartxref', trailer), 'latin1');
}

function md5(...parts: Uint8Array[]): Buffer {
  return createHash('md5').update(Buffer.concat(parts)).digest();
}

function rc4(key: Buffer, data: Buffer): Buffer {
  const box = Uint8Array.from({ length: 256 }, (_, at) => at);
  const swap = (a: number, b: number): void => {
    [box[a], box[b]] = [box[b] ?? 0, box[a] ?? 0];
  };
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + (box[i] ?? 0) + (key[i % key.length] ?? 0)) % 256;
    swap(i, j);
  }
  let i = 0;
  let j = 0;
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) % 256;
      j = (j + (box[i] ?? 0)) % 256;
      swap(i, j);
      return byte ^ (box[((box[i] ?? 0) + (box[j] ?? 0)) % 256] ?? 0);
    }),
  );
}
