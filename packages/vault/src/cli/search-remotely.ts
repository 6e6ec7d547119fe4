export { searchRemotely } from '../server/index.ts';
