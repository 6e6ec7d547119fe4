export { createLoop } from './loop.ts';
export { createMemory, memoryVersion } from './memory.ts';
export type { UpkeepEvent } from './report.ts';
export type { Timing } from './timing.ts';
export { leaveTreeTrue } from './tree-keeper.ts';
export { startUpkeep } from './upkeep.ts';
export type { Upkeep } from './upkeep.ts';
export { watchFiles } from './watcher.ts';
export type { Watch } from './watcher.ts';
