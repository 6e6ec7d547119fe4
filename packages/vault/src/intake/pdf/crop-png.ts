import { crc32, deflateSync, inflateSync } from 'node:zlib';
import type { Box } from './run.ts';

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

type Pixels = { width: number; height: number; channels: number; colour: number; rows: Buffer };

/** Crops a PNG to a box in pixels. Undefined for formats other than 8-bit RGB or RGBA. */
export function cropPng(png: Uint8Array, box: Box): Uint8Array | undefined {
  const pixels = decode(Buffer.from(png.buffer, png.byteOffset, png.byteLength));
  if (pixels === undefined) return undefined;
  const [left, top] = [clamp(box.left, pixels.width), clamp(box.top, pixels.height)];
  const [width, height] = [clamp(box.right, pixels.width) - left, clamp(box.bottom, pixels.height) - top];
  return width < 1 || height < 1 ? undefined : encode(pixels, { left, top, width, height });
}

function clamp(value: number, max: number): number {
  return Math.min(max, Math.max(0, Math.round(value)));
}

function decode(png: Buffer): Pixels | undefined {
  const parts = new Map<string, Buffer[]>();
  for (let at = signature.length; at + 12 <= png.length;) {
    const [length, type] = [png.readUInt32BE(at), png.toString('latin1', at + 4, at + 8)];
    parts.set(type, [...(parts.get(type) ?? []), png.subarray(at + 8, at + 8 + length)]);
    at += length + 12;
  }
  const [head] = parts.get('IHDR') ?? [];
  if (head === undefined || head.length < 13) return undefined;
  const [width, height, depth, colour, interlaced] = [
    head.readUInt32BE(0),
    head.readUInt32BE(4),
    head[8],
    head[9] ?? 0,
    head[12],
  ];
  if (depth !== 8 || interlaced !== 0 || (colour !== 2 && colour !== 6)) return undefined;
  const channels = colour === 2 ? 3 : 4;
  const rows = inflateSync(Buffer.concat(parts.get('IDAT') ?? []));
  unfilter(rows, width * channels, channels);
  return { width, height, channels, colour, rows };
}

/** Reverses the PNG row filters, which store differences from the bytes to the left and above. */
function unfilter(rows: Buffer, length: number, channels: number): void {
  for (let start = 0; start + length < rows.length; start += length + 1) {
    const filter = rows[start];
    for (let index = 0; index < length; index += 1) {
      const at = start + 1 + index;
      const before = index < channels ? 0 : (rows[at - channels] ?? 0);
      const above = start === 0 ? 0 : (rows[at - length - 1] ?? 0);
      const corner = start === 0 || index < channels ? 0 : (rows[at - length - 1 - channels] ?? 0);
      rows[at] = (rows[at] ?? 0) + predictByte(filter ?? 0, before, above, corner);
    }
  }
}

function predictByte(filter: number, before: number, above: number, corner: number): number {
  if (filter === 1) return before;
  if (filter === 2) return above;
  if (filter === 3) return (before + above) >> 1;
  if (filter !== 4) return 0;
  const [a, b, c] = [
    Math.abs(above - corner),
    Math.abs(before - corner),
    Math.abs(before + above - 2 * corner),
  ];
  if (a <= b && a <= c) return before;
  return b <= c ? above : corner;
}

type Part = { left: number; top: number; width: number; height: number };

function encode(
  { width: whole, channels, colour, rows }: Pixels,
  { left, top, width, height }: Part,
): Buffer {
  const length = width * channels;
  const cropped = Buffer.alloc((length + 1) * height);
  for (let row = 0; row < height; row += 1) {
    const from = (top + row) * (whole * channels + 1) + 1 + left * channels;
    rows.copy(cropped, row * (length + 1) + 1, from, from + length);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, colour, 0, 0, 0], 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(cropped)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
