export { readCaptureStatus } from './capture-status.ts';
export { updateSettings } from './change-settings.ts';
export { checkCapture } from './check-capture.ts';
export { drain } from './drain.ts';
export { createVaultBrief } from './vault-brief.ts';
export { startBackgroundDrain } from './background-drain.ts';
export { describeLost, countLostEvents } from './lost-events.ts';
export { resolveProject } from './resolve-project.ts';
export { acquireDrainLock } from './spool.ts';
