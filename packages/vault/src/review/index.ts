export { collapseWhitespace, fold } from './fold.ts';
export { supportChecker } from './support-checker.ts';
