import type { Environment, Keepsake, Served } from '../../app/index.ts';
import type { Clock, Reason } from '../../contract/index.ts';
import type { Answers } from '../answers/answers.ts';
import type { Auth } from '../auth/auth.ts';
import type { People } from '../auth/people.ts';
import type { Tokens, TokenScope } from '../auth/tokens.ts';
import type { OAuth } from '../oauth/oauth.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import type { WebAssets } from '../web/serve-assets.ts';
import type { EventFeed } from './event-feed.ts';
import type { Limits } from './limits.ts';
import type { RunSteps } from './run-steps.ts';
import type { Streams } from './streams.ts';

/** Speaks MCP over HTTP; told what the caller may do. */
export type McpDoor = {
  /** `person` is the name of who was invited, of whom it is. */
  fetch(request: Request, scope: TokenScope, message?: unknown, person?: string): Promise<Response>;
};

/** The model of the agents, or why there is none and what to do. */
export type ModelState = { name: string; hasPrices: boolean } | { missing: Reason };

export type HttpParts = {
  keepsake: Keepsake;
  /** Short, as it stands in addresses. */
  vaultName: string;
  /** Before every address of this vault, where a server has several: `/v/<name>`. */
  prefix?: string | undefined;
  auth: Auth;
  /** Left out for its own. */
  answers?: Answers | undefined;
  /** Null when MCP is not served. */
  mcp: McpDoor | null;
  /** How programs elsewhere are let in; left out when none is. */
  oauth?: OAuth | undefined;
  /** How the person signs in from elsewhere; left out when they cannot. */
  signIn?: SignIn | undefined;
  /** The web interface; left out when it is not served. */
  web?: WebAssets | undefined;
  /** Told of every request. Must not throw. */
  log: (entry: object) => void;
  version: string;
  clock: Clock;
  limits?: Partial<Limits> | undefined;
  model: () => ModelState;
  environment: Environment;
  /** Whether the machine is run by somebody else than those who use the vault: its settings are not theirs. */
  isForOthers?: boolean | undefined;
  /** The state folder as it was named at the start, for clients to name it, too. */
  state?: string | undefined;
  /** Ends every stream of events. */
  closing?: AbortSignal | undefined;
};

/** What routes work with. */
export type RouteParts = Omit<HttpParts, 'keepsake'> & {
  /** The vault as far as those may see it to whom these routes answer. */
  keepsake: Served;
  limits: Limits;
  feed: EventFeed;
  steps: RunSteps;
  answers: Answers;
  streams: Streams;
  tokens: () => Tokens;
  people: () => People;
  /** The folder of the vault. */
  root: string;
};
