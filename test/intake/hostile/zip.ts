import { crc32, deflateRawSync } from 'node:zlib';

export type ZipEntry = {
  name: string;
  content: string | Uint8Array;
  /** False declarations in the headers of the entry. */
  says?: { size?: number; crc?: number };
  /** Already deflated content. */
  deflated?: Uint8Array;
  flags?: number;
  /** Whether the entry shares the bytes of the entry before it. */
  overlaps?: boolean;
};

/** Writes a zip without validation: wrong names, sizes and checksums, and the same entry many times. */
export function zip(entries: ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  let before = 0;
  for (const entry of entries) {
    const content = Buffer.from(entry.content);
    const deflated = entry.deflated ?? deflateRawSync(content);
    const name = Buffer.from(entry.name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(entry.flags ?? 0, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(entry.says?.crc ?? crc32(content), 10);
    fields.writeUInt32LE(deflated.length, 14);
    fields.writeUInt32LE(entry.says?.size ?? content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    if (entry.overlaps !== true) {
      files.push(Buffer.from('PK\x03\x04'), fields, name, Buffer.from(deflated));
      before = offset;
      offset += 30 + name.length + deflated.length;
    }
    const place = Buffer.alloc(14);
    place.writeUInt32LE(before, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\0'), fields, place, name);
  }
  return Buffer.concat([...files, ...directory, endOf(entries.length, offset, directory)]);
}

function endOf(entries: number, offset: number, directory: Buffer[]): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(Math.min(entries, 0xffff), 8);
  end.writeUInt16LE(Math.min(entries, 0xffff), 10);
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    12,
  );
  end.writeUInt32LE(offset, 16);
  return end;
}
