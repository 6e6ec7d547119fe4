import type { HttpBindings } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Caller } from '../auth/auth.ts';

type Known = { requestId: string; caller: Caller | null };

/** What is known of a request on its way through the routes; where they are called from others, it comes with it. */
export type HttpEnv = {
  Variables: Known;
  Bindings: Partial<Known> & {
    /** The answer as it goes out, where there is a connection. */
    outgoing?: HttpBindings['outgoing'];
  };
};
export type HttpApp = OpenAPIHono<HttpEnv>;
