export { createBrief } from './brief.ts';
export { changeSettings } from './change-settings.ts';
export { projectOf } from './project-of.ts';
