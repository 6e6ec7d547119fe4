export { homesOf } from './homes.ts';
export { linkOf, remoteOf } from './link.ts';
export type { Linked } from './link.ts';
export { runHook } from './run-hook.ts';
export type { BriefAsked } from './run-hook.ts';
export { readSettings, settingsFile } from './settings.ts';
export type { SessionSettings } from './settings.ts';
