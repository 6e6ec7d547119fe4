/** The parts of the web interface that also run in the server: parsing a note and sanitizing it. */
export type { Element, ElementContent, Root } from './file/hast.ts';
export { parseNoteFile } from './file/note.ts';
export { blockId } from './file/heading-id.ts';
export { loadPlugins, parseNote, requiredPlugins } from './file/parse-note.ts';
export { frenchCallouts } from './text/french-callouts.ts';
/** Loads a large library, so it is not loaded at the start. */
export const loadFormulas = () => import('./file/formula-markup.ts');
