export { createFileRedactor } from './create-file-redactor.ts';
export { createForgetting } from './forgetting.ts';
export { createStateFiles } from './state-files.ts';
