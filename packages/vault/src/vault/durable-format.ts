import { deserialize } from 'node:v8';
import { VaultError } from './vault-error.ts';

/** The storage format of one kind of durable data. Data of an unknown version is rejected. */
type DurableFormat<Value> = {
  encode: (value: Value) => Buffer;
  /** Throws `newer-format` for a version without a reader, and `damaged-data` for other unreadable data. */
  decode: (stored: Uint8Array) => Value;
};

type FormatDefinition<Value> = {
  /** Stored with the data, so that one kind of data is never decoded as another. */
  name: string;
  /** The version of `write`, starting at 1. Increase it with every change of the stored form, and keep the reader of the old version. */
  version: number;
  /** Returns plain objects, arrays, strings, finite numbers, booleans, null and bytes. Undefined properties are omitted. */
  write: (value: Value) => unknown;
  /** A reader for each version. Version 0 is the V8 serialization of the first releases. Bytes are passed as Buffers. */
  readers: Readonly<Record<number, (stored: unknown) => Value>>;
};

export function defineFormat<Value>({
  name,
  version,
  write,
  readers,
}: FormatDefinition<Value>): DurableFormat<Value> {
  return {
    encode: (value) => pack(name, version, write(value)),
    decode(stored) {
      const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
      const { version: found, value } =
        bytes[0] === v8FirstByte ? { version: 0, value: readV8(name, bytes) } : unpack(name, bytes);
      const read = readers[found];
      if (read === undefined)
        throw newer(name, `in version ${found} of its format; this one reads up to ${version}`);
      return read(value);
    },
  };
}

/** The first byte of every V8 serialization. */
const v8FirstByte = 0xff;

/**
 * The container: this signature, the container version (1 byte), the header length (4 bytes, big-endian), the header as UTF-8
 * JSON, then all parts. Binary values are stored as parts and referenced as `{"$part": 0}`, because base64 would add a third.
 */
const signature = Buffer.from('KSF');
const containerVersion = 1;
const lengthStart = signature.length + 1;
const headerStart = lengthStart + 4;

type Header = { format: string; version: number; parts: number[]; value: unknown };

function pack(format: string, version: number, value: unknown): Buffer {
  const parts: Uint8Array[] = [];
  const stored = toStored(value, parts);
  const header = Buffer.from(
    JSON.stringify({
      format,
      version,
      parts: parts.map(({ length }) => length),
      value: stored,
    } satisfies Header),
  );
  const start = Buffer.alloc(headerStart);
  start.set(signature);
  start.writeUInt8(containerVersion, signature.length);
  start.writeUInt32BE(header.length, lengthStart);
  return Buffer.concat([start, header, ...parts]);
}

function unpack(name: string, bytes: Buffer): { version: number; value: unknown } {
  if (!bytes.subarray(0, signature.length).equals(signature) || bytes.length < headerStart)
    throw damaged(name);
  const container = bytes.readUInt8(signature.length);
  if (container !== containerVersion) throw newer(name, `in version ${container} of the container`);
  const partsStart = headerStart + bytes.readUInt32BE(lengthStart);
  const { format, version, parts, value } = parseHeader(name, bytes.subarray(headerStart, partsStart));
  if (format !== name || !Array.isArray(parts)) throw damaged(name);
  let end = partsStart;
  const contents = parts.map((length) => bytes.subarray(end, (end += length)));
  if (end !== bytes.length) throw damaged(name);
  return { version, value: fromStored(value, contents) };
}

function parseHeader(name: string, header: Buffer): Header {
  try {
    return JSON.parse(header.toString()) as Header;
  } catch (cause) {
    throw damaged(name, cause);
  }
}

function readV8(name: string, bytes: Buffer): unknown {
  try {
    return deserialize(bytes);
  } catch (cause) {
    throw damaged(name, cause);
  }
}

function newer(name: string, how: string): VaultError {
  return new VaultError('newer-format', `the stored ${name} was written by a newer Keepsake, ${how}`, {
    hint: 'update Keepsake',
  });
}

function damaged(name: string, cause?: unknown): VaultError {
  return new VaultError('damaged-data', `the stored ${name} is damaged`, { cause });
}

const partKey = '$part';

/** Names that begin with `$` are escaped with another `$`, so that no object of the data looks like a part. */
function toStored(value: unknown, parts: Uint8Array[]): unknown {
  if (value instanceof Uint8Array) return { [partKey]: parts.push(value) - 1 };
  if (Array.isArray(value)) return value.map((each) => toStored(each, parts));
  if (isPlainObject(value))
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, each]) =>
        each === undefined ? [] : [[name.startsWith('$') ? `$${name}` : name, toStored(each, parts)]],
      ),
    );
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value))
    return value;
  throw new TypeError(`durable data cannot contain ${Object.prototype.toString.call(value)}`);
}

function fromStored(value: unknown, parts: readonly Buffer[]): unknown {
  if (Array.isArray(value)) return value.map((each) => fromStored(each, parts));
  if (typeof value !== 'object' || value === null) return value;
  if (partKey in value) return parts[Number(value[partKey])];
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name.startsWith('$') ? name.slice(1) : name,
      fromStored(each, parts),
    ]),
  );
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
