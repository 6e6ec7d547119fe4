/** The metadata needed before a model is loaded. */
export type GgufHeader = {
  architecture: string | null;
  contextTokens: number | null;
  /** How token outputs are combined into one vector or score; null for a generative model. */
  pooling: number | null;
};

/** The pooling type of rerankers, llama.cpp's LLAMA_POOLING_TYPE_RANK. */
export const poolingTypeRank = 4;

/**
 * Reads the metadata at the start of a GGUF file; null if it is not one. `bytes` may be truncated anywhere: later
 * fields are omitted. The vocabulary, which is most of the metadata, comes after the fields needed here and is not
 * read.
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
  if (from + length > reader.bytes.length) throw new RangeError('unexpected end of data');
  reader.at += length;
  return reader.bytes.subarray(from, reader.at);
}

function readCount(reader: Reader): number {
  return Number(take(reader, 8).readBigUInt64LE());
}

function readString(reader: Reader): string {
  return take(reader, readCount(reader)).toString('utf8');
}

// Sizes in bytes of the number types of the GGUF specification.
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

/** Strings and integers; other values are skipped. */
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
  if (size === undefined) throw new RangeError(`unknown type ${type}`);
  const bytes = take(reader, size);
  if (type === uint32) return bytes.readUInt32LE();
  return type === uint64 ? Number(bytes.readBigUInt64LE()) : null;
}
