import type { HttpBindings } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Principal } from '../auth/auth.ts';

type RequestInfo = { requestId: string; caller: Principal | null };

/** The environment of a request. The outer app passes it to the routes as bindings. */
export type HttpEnv = {
  Variables: RequestInfo;
  Bindings: Partial<RequestInfo> & {
    /** The Node request and response; undefined without a connection. */
    outgoing?: HttpBindings['outgoing'];
    incoming?: HttpBindings['incoming'];
    /** Set if the request was already rejected; the app throws it. */
    rejection?: Error;
  };
};
export type HttpApp = OpenAPIHono<HttpEnv>;
