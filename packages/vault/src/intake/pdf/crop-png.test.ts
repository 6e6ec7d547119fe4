import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { imageSize } from 'image-size';
import { describe, expect, it } from 'vitest';
import { cropPng } from './crop-png.ts';

/** Each row starts with its filter type, followed by red, green and blue of each pixel. */
function png(width: number, rows: number[][]): Buffer {
  const head = Buffer.from([0, 0, 0, width, 0, 0, 0, rows.length, 8, 2, 0, 0, 0]);
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    start,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('a cropped image', () => {
  it('keeps its pixels, whichever filter was used', () => {
    const picture = png(2, [
      [0, 10, 20, 30, 40, 50, 60],
      [1, 5, 5, 5, 1, 1, 1],
      [2, 1, 1, 1, 1, 1, 1],
      [3, 0, 0, 0, 0, 0, 0],
      [4, 1, 1, 1, 1, 1, 1],
    ]);
    const part = Buffer.from(cropPng(picture, { left: 1, top: 0, right: 2, bottom: 5 }) ?? []);
    expect(imageSize(part)).toMatchObject({ width: 1, height: 5 });
    const data = part.subarray(part.indexOf('IDAT') + 4);
    expect([...inflateSync(data)]).toEqual(
      [
        [0, 40, 50, 60],
        [0, 6, 6, 6],
        [0, 7, 7, 7],
        [0, 5, 5, 5],
        [0, 6, 6, 6],
      ].flat(),
    );
  });

  it('ends at the edge of the original image', () => {
    const part = cropPng(png(2, [[0, 1, 2, 3, 4, 5, 6]]), { left: -5, top: -5, right: 50, bottom: 50 });
    expect(imageSize(part ?? Buffer.alloc(0))).toMatchObject({ width: 2, height: 1 });
  });

  it('is undefined for unsupported image formats', () => {
    expect(cropPng(Buffer.from('GIF89a'), { left: 0, top: 0, right: 1, bottom: 1 })).toBeUndefined();
  });
});
