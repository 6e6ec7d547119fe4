import { createHash } from 'node:crypto';

/** Where a 64-bit Mach-O file has the parts that its signature covers or changes. Offsets are in bytes. */
type Layout = {
  commands: number;
  commandsSize: number;
  /** The end of the load commands, and the first byte used after them. */
  end: number;
  firstSection: number;
  linkEdit: number;
  text: number;
  signature: number | null;
};

const magic = 0xfeedfacf;
const segment64 = 0x19;
const codeSignature = 0x1d;
const pageSize = 4096;
const headerSize = 88;
const emptyRequirements = Buffer.from('fade0c010000000c00000000', 'hex');
const adHoc = 2;
const specialSlots = 2;

function readLayout(file: Buffer): Layout {
  if (file.length < 32 || file.readUInt32LE(0) !== magic) throw new Error('not a 64-bit Mach-O file');
  const [commands, commandsSize] = [file.readUInt32LE(16), file.readUInt32LE(20)];
  const found = { linkEdit: 0, text: 0, firstSection: Infinity };
  let signature: number | null = null;
  let at = 32;
  for (let index = 0; index < commands; index += 1) {
    const command = file.readUInt32LE(at);
    if (command === codeSignature) signature = at;
    if (command === segment64) {
      const name = file.toString('latin1', at + 8, at + 24).replace(/\0+$/, '');
      if (name === '__LINKEDIT') found.linkEdit = at;
      if (name === '__TEXT') found.text = at;
      for (let section = 0; section < file.readUInt32LE(at + 64); section += 1) {
        const offset = file.readUInt32LE(at + 72 + section * 80 + 48);
        if (offset > 0) found.firstSection = Math.min(found.firstSection, offset);
      }
    }
    at += file.readUInt32LE(at + 4);
  }
  if (found.linkEdit === 0 || found.text === 0) throw new Error('a segment is missing');
  return { commands, commandsSize, end: at, ...found, signature };
}

/**
 * Returns a copy of a Mach-O program with an ad-hoc signature, as `codesign --sign -` makes it. macOS on Apple silicon
 * starts no program without a signature. An existing signature has to be the last part of the file.
 */
export function signMachO(unsigned: Buffer, identifier: string): Buffer {
  const file = Buffer.from(unsigned);
  const layout = readLayout(file);
  let { signature } = layout;
  let codeLimit: number;
  if (signature === null) {
    if (layout.end + 16 > layout.firstSection) throw new Error('no space for another load command');
    codeLimit = roundUp(file.length, 16);
    signature = layout.end;
    file.writeUInt32LE(codeSignature, signature);
    file.writeUInt32LE(16, signature + 4);
    file.writeUInt32LE(layout.commands + 1, 16);
    file.writeUInt32LE(layout.commandsSize + 16, 20);
  } else codeLimit = file.readUInt32LE(signature + 8);
  const name = Buffer.from(`${identifier}\0`);
  const hashOffset = headerSize + name.length + specialSlots * 32;
  const directorySize = hashOffset + Math.ceil(codeLimit / pageSize) * 32;
  const size = 12 + 2 * 8 + directorySize + emptyRequirements.length;
  const padded = roundUp(size, 16);
  file.writeUInt32LE(codeLimit, signature + 8);
  file.writeUInt32LE(padded, signature + 12);
  const linkEditSize = codeLimit + padded - Number(file.readBigUInt64LE(layout.linkEdit + 40));
  file.writeBigUInt64LE(BigInt(linkEditSize), layout.linkEdit + 48);
  file.writeBigUInt64LE(BigInt(roundUp(linkEditSize, 16_384)), layout.linkEdit + 32);
  const code = Buffer.alloc(codeLimit);
  file.copy(code, 0, 0, Math.min(file.length, codeLimit));
  const directory = Buffer.alloc(directorySize);
  [0xfade0c02, directorySize, 0x20400, adHoc, hashOffset, headerSize].forEach((value, index) =>
    directory.writeUInt32BE(value, index * 4),
  );
  [specialSlots, Math.ceil(codeLimit / pageSize), codeLimit].forEach((value, index) =>
    directory.writeUInt32BE(value, 24 + index * 4),
  );
  // The size and type of the hashes (SHA-256), the platform, and the page size as a power of two.
  directory.set([32, 2, 0, 12], 36);
  directory.writeBigUInt64BE(file.readBigUInt64LE(layout.text + 40), 64);
  directory.writeBigUInt64BE(file.readBigUInt64LE(layout.text + 48), 72);
  directory.writeBigUInt64BE(1n, 80); // the main program
  name.copy(directory, headerSize);
  // Slot -2 has the requirements; slot -1, for a property list, stays empty.
  sha256(emptyRequirements).copy(directory, hashOffset - 2 * 32);
  pagesOf(code).forEach((page, index) => sha256(page).copy(directory, hashOffset + index * 32));
  const head = Buffer.alloc(28);
  [0xfade0cc0, size, 2, 0, 28, 2, 28 + directorySize].forEach((value, index) =>
    head.writeUInt32BE(value, index * 4),
  );
  return Buffer.concat([code, head, directory, emptyRequirements, Buffer.alloc(padded - size)]);
}

/** Returns what is wrong with the signature of a Mach-O file; null if every page has the hash that was signed. */
export function findSignatureProblem(file: Buffer): string | null {
  const { signature, linkEdit } = readLayout(file);
  if (signature === null) return 'it has no signature';
  const [start, size] = [file.readUInt32LE(signature + 8), file.readUInt32LE(signature + 12)];
  if (start + size > file.length) return 'the signature is incomplete';
  const linkEditEnd =
    Number(file.readBigUInt64LE(linkEdit + 40)) + Number(file.readBigUInt64LE(linkEdit + 48));
  if (linkEditEnd !== start + size) return 'the last segment does not end with the signature';
  const blob = file.subarray(start, start + size);
  if (blob.readUInt32BE(0) !== 0xfade0cc0) return 'the signature has an unknown form';
  const directory = findBlob(blob, 0);
  if (directory === null || directory.readUInt32BE(0) !== 0xfade0c02) return 'it has no code directory';
  if (directory[37] !== 2) return 'the hashes are not SHA-256';
  const [hashOffset, special, pages, limit] = [16, 24, 28, 32].map((at) => directory.readUInt32BE(at)) as [
    number,
    number,
    number,
    number,
  ];
  if (limit !== start) return 'the signature does not cover the whole code';
  const requirements = findBlob(blob, 2);
  if (requirements !== null && special >= 2) {
    const signed = directory.subarray(hashOffset - 64, hashOffset - 32);
    if (!sha256(requirements).equals(signed)) return 'the requirements were changed';
  }
  const signedSize = 2 ** (directory[39] ?? 0);
  const code = pagesOf(file.subarray(0, limit), signedSize);
  if (code.length !== pages) return `it has ${code.length} pages, and ${pages} are signed`;
  const changed = code.filter(
    (page, index) =>
      !sha256(page).equals(directory.subarray(hashOffset + index * 32, hashOffset + index * 32 + 32)),
  );
  return changed.length === 0 ? null : `${changed.length} of ${pages} pages were changed`;
}

/** A part of a signature by its type, without what follows it. */
function findBlob(signature: Buffer, type: number): Buffer | null {
  for (let index = 0; index < signature.readUInt32BE(8); index += 1) {
    const at = 12 + index * 8;
    if (signature.readUInt32BE(at) !== type) continue;
    const start = signature.readUInt32BE(at + 4);
    return signature.subarray(start, start + signature.readUInt32BE(start + 4));
  }
  return null;
}

function pagesOf(code: Buffer, size = pageSize): Buffer[] {
  return Array.from({ length: Math.ceil(code.length / size) }, (_, index) =>
    code.subarray(index * size, (index + 1) * size),
  );
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function roundUp(value: number, unit: number): number {
  return Math.ceil(value / unit) * unit;
}
