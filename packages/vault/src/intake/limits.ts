import type { Limits } from './document.ts';

const million = 1_000_000;

export const defaultLimits: Limits = {
  milliseconds: 9000,
  memoryBytes: 1000 * million,
  documentBytes: 20 * million,
  unpackedBytes: 200 * million,
  pages: 1000,
  nesting: 4,
  attachments: 50,
  images: 40,
  imageBytes: 5 * million,
  characters: 2 * million,
  tableRows: 2000,
};
