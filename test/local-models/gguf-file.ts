type Value = string | number | boolean | { float: number } | readonly string[] | readonly number[];

export type Tensor = { name: string; shape: readonly number[]; values: Float32Array };

/** A GGUF file of version 3 with 32-bit float tensors. Numbers are integers unless they are given as `float`. */
export function ggufFile(metadata: Record<string, Value>, tensors: readonly Tensor[]): Buffer {
  const entries = Object.entries(metadata).map(([key, value]) => Buffer.concat([text(key), typed(value)]));
  let offset = 0;
  const infos = tensors.map(({ name, shape, values }) => {
    const info = [
      text(name),
      uint32(shape.length),
      ...shape.map(uint64),
      uint32(float32Tensor),
      uint64(offset),
    ];
    offset += padded(values.byteLength);
    return Buffer.concat(info);
  });
  const start = [Buffer.from('GGUF'), uint32(3), uint64(tensors.length), uint64(entries.length)];
  const head = Buffer.concat([...start, ...entries, ...infos]);
  return Buffer.concat([
    pad(head),
    ...tensors.map(({ values }) => pad(Buffer.from(values.buffer, values.byteOffset, values.byteLength))),
  ]);
}

// Type numbers of the GGUF specification.
const types = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 };
const float32Tensor = 0;
const alignment = 32;

function typed(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([uint32(types.string), text(value)]);
  if (typeof value === 'number') return Buffer.concat([uint32(types.uint32), uint32(value)]);
  if (typeof value === 'boolean') return Buffer.concat([uint32(types.bool), Buffer.from([Number(value)])]);
  if ('float' in value) return Buffer.concat([uint32(types.float32), float32(value.float)]);
  const elementType = typeof value[0] === 'number' ? types.int32 : types.string;
  const elements = value.map((element) => (typeof element === 'number' ? uint32(element) : text(element)));
  return Buffer.concat([uint32(types.array), uint32(elementType), uint64(value.length), ...elements]);
}

function text(string: string): Buffer {
  const bytes = Buffer.from(string);
  return Buffer.concat([uint64(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function float32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}

function padded(length: number): number {
  return Math.ceil(length / alignment) * alignment;
}

function pad(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(padded(bytes.length) - bytes.length)]);
}
