import type { ClientRuns, Environment, Keepsake, VaultService } from '../../app/index.ts';
import type { Clock, Reason } from '../../contract/index.ts';
import type { createVaultBrief } from '../../sessions/index.ts';
import type { VaultRoot } from '../../vault/index.ts';
import type { Answers } from '../answers/answers.ts';
import type { Auth } from '../auth/auth.ts';
import type { Members } from '../auth/members.ts';
import type { Tokens, TokenScope } from '../auth/tokens.ts';
import type { RenderNote } from '../note-html/render-in-worker.ts';
import type { Importing } from '../importing.ts';
import type { OAuth } from '../oauth/oauth.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import type { WebAssets } from '../web/serve-assets.ts';
import type { EventFeed } from './event-feed.ts';
import type { HttpLimits } from './limits.ts';
import type { RecentSteps } from './recent-steps.ts';
import type { StreamRegistry } from './stream-registry.ts';

/** Handles MCP over HTTP. */
export type McpHandler = {
  /**
   * `memberName` is the name of the member that the client belongs to; `assertAllowed` throws once the caller has lost
   * access.
   */
  fetch(
    request: Request,
    caller: {
      connection: string;
      scope: TokenScope;
      memberName?: string | undefined;
      assertAllowed: () => void;
    },
    message?: unknown,
  ): Promise<Response>;
};

/** The model of the agents, or the reason why there is none. */
export type ModelState = { name: string; hasPrices: boolean } | { missing: Reason };

export type HttpAppOptions = {
  keepsake: Keepsake;
  /** The name of the vault in URLs. */
  vaultName: string;
  /** Path prefix of the vault on a shared port: `/v/<name>`. */
  prefix?: string | undefined;
  auth: Auth;
  /** Created if omitted. */
  answers?: Answers | undefined;
  /** Null if MCP is not served. */
  mcp: McpHandler | null;
  /** Authorizes remote applications; omitted if they are not allowed. */
  oauth?: OAuth | undefined;
  /** Remote sign-in; omitted if it is not available. */
  signIn?: SignIn | undefined;
  /** The web interface; omitted if it is not served. */
  web?: WebAssets | undefined;
  /** Receives an entry for every request. Must not throw. */
  log: (entry: object) => void;
  version: string;
  clock: Clock;
  limits?: Partial<HttpLimits> | undefined;
  model: () => ModelState;
  environment: Environment;
  /** Whether an operator runs the machine for its users, who then cannot change the machine's settings. */
  isManaged?: boolean | undefined;
  /** Whether this process still holds the vault; always if omitted. */
  isServing?: (() => boolean) | undefined;
  /** The state folder as it was passed at the start; it is written into the configuration of connected clients. */
  state?: string | undefined;
  /** Aborted when the server closes; ends every event stream. */
  closing?: AbortSignal | undefined;
};

/** The dependencies of the routes. */
export type RouteContext = Omit<HttpAppOptions, 'keepsake'> & {
  /** The view of the vault that the callers of these routes may see. */
  keepsake: VaultService;
  limits: HttpLimits;
  feed: EventFeed;
  steps: RecentSteps;
  answers: Answers;
  streams: StreamRegistry;
  tokens: () => Tokens;
  people: () => Members;
  importing: Importing;
  renderNote: RenderNote;
  /** The folder of the vault. */
  root: VaultRoot;
  /** The updates that clients file over MCP. */
  clientRuns: Pick<ClientRuns, 'findOpen'>;
  /** Forgetting, for the signed-in user only: it sees every file. */
  forgetting: Pick<Keepsake, 'forget' | 'forgetRequests'>;
  /** For the signed-in user only: it sees every file. */
  catalogue: Pick<Keepsake['catalogue'], 'skipped' | 'conflictCopies'>;
  /** The brief of a session in a folder of this project. It quotes nothing that is hidden from AI. */
  createBrief: (project: string | null) => ReturnType<typeof createVaultBrief>;
};
