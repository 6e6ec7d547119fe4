export { openKeepsake } from '../app/index.ts';
