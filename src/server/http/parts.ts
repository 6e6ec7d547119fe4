import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Keepsake, TokenScope, ToolCaller } from '../../app/index.ts';
import type { Clock } from '../../contract/index.ts';
import type { Auth, Caller } from '../auth/auth.ts';
import type { EventFeed } from './event-feed.ts';
import type { Streams } from './streams.ts';

export type Limits = {
  /** Bytes of a body in JSON. */
  json: number;
  /** Bytes of a form with files. */
  upload: number;
  /** Bytes of JSON where there is no form instead: of the owner's own processes, and of MCP. */
  message: number;
  /** Bytes of a file that is put. */
  file: number;
  /** Bytes of all bodies held at the same time. */
  bodies: number;
  /** Requests of one caller at the same time. */
  concurrent: number;
  /** Requests of one caller at once, and then in each second. */
  burst: number;
  perSecond: number;
  /** Event streams of all callers. */
  streams: number;
  /** Events kept for whoever comes back, and how many bytes of them. */
  events: number;
  eventBytes: number;
  /** Milliseconds between two signs of life on a stream. */
  heartbeat: number;
};

export const usualLimits: Limits = {
  json: 2_000_000,
  upload: 25_000_000,
  message: 30_000_000,
  file: 20_000_000,
  bodies: 200_000_000,
  concurrent: 256,
  burst: 5_000,
  perSecond: 2_000,
  streams: 1_000,
  events: 1_000,
  eventBytes: 4_000_000,
  heartbeat: 15_000,
};

/** Speaks MCP over HTTP; told what the caller may do. */
export type McpDoor = { fetch(request: Request, scope: TokenScope): Promise<Response> };

/** The model of the agents, or why there is none and what to do. */
export type ModelState = { name: string } | { missing: string };

export type HttpParts = {
  keepsake: Keepsake;
  /** Short, as it stands in addresses. */
  vaultName: string;
  auth: Auth;
  /** Null when MCP is not served. */
  mcp: McpDoor | null;
  /** Told of every request. Must not throw. */
  log: (entry: object) => void;
  version: string;
  clock: Clock;
  limits?: Partial<Limits> | undefined;
  model: () => ModelState;
  /** Ends every stream of events. */
  closing?: AbortSignal | undefined;
};

/** What routes work with. */
export type RouteParts = HttpParts & {
  limits: Limits;
  callTool: ToolCaller;
  feed: EventFeed;
  streams: Streams;
};

export type HttpEnv = { Variables: { requestId: string; caller: Caller | null } };
export type HttpApp = OpenAPIHono<HttpEnv>;
