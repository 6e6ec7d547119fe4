import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Caller } from '../auth/auth.ts';

/** What is known of a request on its way through the routes. */
export type HttpEnv = { Variables: { requestId: string; caller: Caller | null } };
export type HttpApp = OpenAPIHono<HttpEnv>;
