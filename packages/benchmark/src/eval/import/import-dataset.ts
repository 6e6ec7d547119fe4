import { importBeam, importLocomo, importLongMemEval } from './conversations.ts';
import { importLifeBench, importPrecisionMemBench, importXquad } from './collections.ts';
import type { ImportedSet } from './imported-set.ts';

export const importedFormats = [
  'longmemeval',
  'locomo',
  'beam',
  'lifebench',
  'xquad',
  'precisionmembench',
] as const;
export type ImportedFormat = (typeof importedFormats)[number];

export type ImportOptions = {
  /** A file or a folder, as it was downloaded. */
  source: string;
  /** LoCoMo: the corrections of an audit. */
  audit?: string | undefined;
  /** XQuAD: the language of the questions, and that of the paragraphs. */
  ask: string;
  documents: string;
};

/** Reads a public dataset that the user has downloaded. Throws if it has another form. */
export function readDataset(
  format: ImportedFormat,
  { source, audit, ask, documents }: ImportOptions,
): ImportedSet {
  switch (format) {
    case 'longmemeval':
      return importLongMemEval(source);
    case 'locomo':
      return importLocomo(source, audit);
    case 'beam':
      return importBeam(source);
    case 'lifebench':
      return importLifeBench(source);
    case 'xquad':
      return importXquad(source, ask, documents);
    case 'precisionmembench':
      return importPrecisionMemBench(source);
  }
  return format satisfies never;
}
