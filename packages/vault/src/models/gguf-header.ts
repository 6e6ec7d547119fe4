/** What we want to know of a model before it is loaded. */
export type GgufHeader = {
  architecture: string | null;
  contextTokens: number | null;
  /** How it makes one vector, or one score, of all tokens; null for a model that writes. */
  pooling: number | null;
};

/** The `pooling` of a model that computes a score. */
export const rankPooling = 4;

/**
 * Reads the metadata at the beginning of a GGUF file; null when it is not one. `bytes` may end anywhere: what comes later
 * is left out. The vocabulary, which is most of it, comes after what we look for and is not read.
 */
export function readGgufHeader(bytes: Buffer): GgufHeader | null {
  const reader = { bytes, at: 0 };
  try {
    if (take(reader, 4).toString('latin1') !== 'GGUF') return null;
    take(reader, 4 + 8); // version, number of tensors
  } catch {
    return null;
  }
  const header: GgufHeader = { architecture: null, contextTokens: null, pooling: null };
  try {
    for (let left = readCount(reader); left > 0; left -= 1) {
      const key = readString(reader);
      if (key === 'tokenizer.ggml.tokens') break;
      const value = readValue(reader, take(reader, 4).readUInt32LE());
      if (key === 'general.architecture' && typeof value === 'string') header.architecture = value;
      if (key === `${header.architecture}.context_length` && typeof value === 'number')
        header.contextTokens = value;
      if (key === `${header.architecture}.pooling_type` && typeof value === 'number') header.pooling = value;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return header;
}

type Reader = { bytes: Buffer; at: number };

function take(reader: Reader, length: number): Buffer {
  const from = reader.at;
  if (from + length > reader.bytes.length) throw new RangeError('the bytes end here');
  reader.at += length;
  return reader.bytes.subarray(from, reader.at);
}

function readCount(reader: Reader): number {
  return Number(take(reader, 8).readBigUInt64LE());
}

function readString(reader: Reader): string {
  return take(reader, readCount(reader)).toString('utf8');
}

// Numbers of the types in the GGUF specification, with how many bytes each takes.
const sizes: Partial<Record<number, number>> = {
  0: 1, // uint8
  1: 1, // int8
  2: 2, // uint16
  3: 2, // int16
  4: 4, // uint32
  5: 4, // int32
  6: 4, // float32
  7: 1, // bool
  10: 8, // uint64
  11: 8, // int64
  12: 8, // float64
};
const [uint32, string, array, uint64] = [4, 8, 9, 10];

/** Strings and whole numbers; anything else is passed over. */
function readValue(reader: Reader, type: number): string | number | null {
  if (type === string) return readString(reader);
  if (type === array) {
    const elementType = take(reader, 4).readUInt32LE();
    const size = sizes[elementType];
    const count = readCount(reader);
    if (size !== undefined) take(reader, count * size);
    else for (let left = count; left > 0; left -= 1) readValue(reader, elementType);
    return null;
  }
  const size = sizes[type];
  if (size === undefined) throw new RangeError(`there is no type ${type}`);
  const bytes = take(reader, size);
  if (type === uint32) return bytes.readUInt32LE();
  return type === uint64 ? Number(bytes.readBigUInt64LE()) : null;
}
