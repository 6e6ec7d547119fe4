export { callToolThere } from '../server/index.ts';
