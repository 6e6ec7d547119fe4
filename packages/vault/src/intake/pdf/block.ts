import type { Piece } from './flow.ts';
import type { Box } from './run.ts';

/** A part of a page, in the order in which it is read. */
export type Block = Box & { page: number } & (
    | { kind: 'heading'; pieces: Piece[]; size: number; isLarge: boolean; level?: number }
    /** `room` is what is left of its last line. */
    | { kind: 'paragraph'; pieces: Piece[]; size: number; room: number }
    | { kind: 'item'; marker: string; depth: number; pieces: Piece[] }
    | { kind: 'quotation'; pieces: Piece[] }
    | { kind: 'code'; text: string }
    | { kind: 'table'; rows: Piece[][][] }
    | { kind: 'picture'; bytes: Uint8Array; description: string }
  );
