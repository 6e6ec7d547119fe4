import type { HttpBindings } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Caller } from '../auth/auth.ts';

type Known = { requestId: string; caller: Caller | null };

/** What is known of a request on its way through the routes; where they are called from others, it comes with it. */
export type HttpEnv = {
  Variables: Known;
  Bindings: Partial<Known> & {
    /** Request and answer as they come in and go out, where there is a connection. */
    outgoing?: HttpBindings['outgoing'];
    incoming?: HttpBindings['incoming'];
    /** Why it goes no further, where that is known before. */
    refused?: Error;
  };
};
export type HttpApp = OpenAPIHono<HttpEnv>;
