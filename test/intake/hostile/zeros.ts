import { constants, deflateRawSync } from 'node:zlib';

/** Deflated zeros, which take up a thousandth of their size: the same compressed megabyte, repeated. */
export function deflatedZeros(megabytes: number): Buffer {
  const one = deflateRawSync(Buffer.alloc(1_000_000), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([...Array.from({ length: megabytes }, () => one), Buffer.from([3, 0])]);
}

export function zlibZeros(megabytes: number): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt16BE((megabytes * 1_000_000) % 65_521, 0);
  sum.writeUInt16BE(1, 2);
  return Buffer.concat([Buffer.from([0x78, 0xda]), deflatedZeros(megabytes), sum]);
}
