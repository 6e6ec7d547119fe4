export { importKinds } from './detect-kind.ts';
export type { ImportKind } from './detect-kind.ts';
export { memoryTools, readMemories } from './memories.ts';
export type { Memories, MemoryTool } from './memories.ts';
export { readZipBytes } from './read-zip.ts';
export type { ImportReport } from './report.ts';
export { importSource } from './run.ts';
