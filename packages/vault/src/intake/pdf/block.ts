import type { TextSpan } from './merge-lines.ts';
import type { Box } from './run.ts';

/** A part of a page, in reading order. */
export type Block = Box & { page: number } & (
    | { kind: 'heading'; pieces: TextSpan[]; size: number; isLarge: boolean; level?: number }
    /** `room` is the free width at the end of its last line. */
    | { kind: 'paragraph'; pieces: TextSpan[]; size: number; room: number }
    | { kind: 'item'; marker: string; depth: number; pieces: TextSpan[] }
    | { kind: 'quotation'; pieces: TextSpan[] }
    | { kind: 'code'; text: string }
    | { kind: 'table'; rows: TextSpan[][][] }
    | { kind: 'picture'; bytes: Uint8Array; description: string }
  );
