export { createLocalBackend } from './backend.ts';
export type { McpBackend } from './backend.ts';
export { createMcpFactory } from './factory.ts';
export { createMcpHttp } from './http.ts';
export type { McpHttp } from './http.ts';
export type { McpOptions } from './options.ts';
export { serveMcpStream } from './stdio.ts';
