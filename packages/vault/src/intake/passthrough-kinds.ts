import type { DocumentKind } from './document.ts';

/** Kinds that are filed unchanged. No separate original is kept, so the conversion must not omit anything. */
export const plainKinds: ReadonlySet<DocumentKind> = new Set(['text', 'markdown', 'image']);
