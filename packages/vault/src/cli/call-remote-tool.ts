export { callRemoteTool } from '../server/index.ts';
