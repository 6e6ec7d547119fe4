import type { DocumentKind } from './port.ts';

/** Filed as they are: there is no other original, so nothing may be left out of them. */
export const plainKinds: ReadonlySet<DocumentKind> = new Set(['text', 'markdown', 'image']);
