import { describe, expect, it } from 'vitest';
import { readGgufHeader } from './gguf-header.ts';

const count = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const string = (text: string): Buffer => Buffer.concat([count(Buffer.byteLength(text)), Buffer.from(text)]);
const entry = (key: string, type: number, value: Buffer): Buffer =>
  Buffer.concat([string(key), uint32(type), value]);
const gguf = (...entries: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from('GGUF'), uint32(3), count(0), count(entries.length), ...entries]);

const architecture = entry('general.architecture', 8, string('bert'));
const context = entry('bert.context_length', 4, uint32(512));
const pooling = entry('bert.pooling_type', 4, uint32(1));
const vocabulary = entry('tokenizer.ggml.tokens', 9, Buffer.alloc(0));
const numbers = entry('some.numbers', 9, Buffer.concat([uint32(6), count(3), Buffer.alloc(12)]));
const words = entry('some.words', 9, Buffer.concat([uint32(8), count(2), string('a'), string('bc')]));

describe('readGgufHeader', () => {
  it('returns architecture, context and pooling, and skips values of other types', () => {
    const header = readGgufHeader(gguf(architecture, numbers, words, context, pooling, vocabulary));
    expect(header).toEqual({ architecture: 'bert', contextTokens: 512, pooling: 1 });
  });

  it('reads a truncated header as far as possible', () => {
    const whole = gguf(architecture, context, words);
    for (let length = 0; length < whole.length; length += 1) {
      const header = readGgufHeader(whole.subarray(0, length));
      expect(header === null).toBe(length < 16);
      expect([null, undefined, 512]).toContain(header?.contextTokens);
    }
  });

  it('returns null for a web page, and a header without values if sizes are impossible', () => {
    expect(readGgufHeader(Buffer.from('<!doctype html><html>'))).toBeNull();
    expect(readGgufHeader(Buffer.concat([Buffer.from('GGUF'), Buffer.alloc(100, 255)]))).toEqual({
      architecture: null,
      contextTokens: null,
      pooling: null,
    });
  });
});
