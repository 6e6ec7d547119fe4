export { createForgetting } from './forgetting.ts';
export { createStateFiles } from './state-files.ts';
