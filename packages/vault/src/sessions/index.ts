export { createBrief } from './brief.ts';
export { captureStatus } from './capture-status.ts';
export { changeSettings } from './change-settings.ts';
export { checkCapture } from './check-capture.ts';
export { drain } from './drain.ts';
export { keepRecording } from './keep-recording.ts';
export { describeLost, lostParts } from './lost-parts.ts';
export { projectOf } from './project-of.ts';
export { takeDrain } from './spool.ts';
