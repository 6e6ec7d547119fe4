export type HttpLimits = {
  /** Maximum bytes of a JSON body. */
  maxJsonBytes: number;
  /** Maximum bytes of a form with files. */
  maxFormBytes: number;
  /** Maximum bytes of a JSON body over MCP or with the credentials of the owner, where files are not sent as a form. */
  maxMessageBytes: number;
  /** Maximum bytes of a file in a PUT request. */
  maxFileBytes: number;
  /** Maximum bytes of an archive to import. */
  maxArchiveBytes: number;
  /** Maximum bytes of all bodies in memory at the same time, in total and per client. */
  maxBufferedBytes: number;
  maxBufferedBytesPerClient: number;
  /** Maximum open requests per client, until their responses are sent, and how many of them run in parallel. */
  maxOpenRequests: number;
  maxParallelRequests: number;
  /** Maximum bytes of responses that a client has not read. */
  maxUnreadBytes: number;
  /** Maximum concurrent questions to the search agent, in total (counted separately for users and clients) and per client. */
  maxQuestions: number;
  maxQuestionsPerClient: number;
  /** Rate limit per client: size of the token bucket and refill per second. */
  burst: number;
  requestsPerSecond: number;
  /** The same for the requests of all callers without credentials from one address. */
  anonymousBurst: number;
  anonymousRequestsPerSecond: number;
  /** Maximum requests that store a record, per kind of record and address without credentials, in ten minutes. */
  maxAnonymousRecords: number;
  /** Maximum bytes of a body without credentials, and the time in milliseconds until it must be complete. */
  maxAnonymousBodyBytes: number;
  anonymousBodyTimeoutMs: number;
  /** Maximum incomplete bodies without credentials, in total and per address; beyond that the oldest is refused. */
  maxPendingBodies: number;
  maxPendingBodiesPerAddress: number;
  /** Maximum event streams of all clients. */
  maxStreams: number;
  /** Interval in milliseconds at which the credentials of open streams are checked. */
  revalidateIntervalMs: number;
  /** Maximum number and bytes of events that are buffered for reconnecting clients. */
  maxBufferedEvents: number;
  maxBufferedEventBytes: number;
  /** Interval in milliseconds between heartbeats on a stream. */
  heartbeatIntervalMs: number;
};

export const defaultHttpLimits: HttpLimits = {
  maxJsonBytes: 2_000_000,
  maxFormBytes: 60_000_000,
  maxMessageBytes: 30_000_000,
  maxFileBytes: 20_000_000,
  maxArchiveBytes: 90_000_000,
  maxBufferedBytes: 300_000_000,
  maxBufferedBytesPerClient: 100_000_000,
  maxOpenRequests: 256,
  maxParallelRequests: 16,
  maxUnreadBytes: 100_000_000,
  maxQuestions: 64,
  maxQuestionsPerClient: 16,
  burst: 5_000,
  requestsPerSecond: 2_000,
  anonymousBurst: 1_000,
  anonymousRequestsPerSecond: 100,
  maxAnonymousRecords: 50,
  maxAnonymousBodyBytes: 64_000,
  anonymousBodyTimeoutMs: 10_000,
  maxPendingBodies: 512,
  maxPendingBodiesPerAddress: 64,
  maxStreams: 1_000,
  revalidateIntervalMs: 1_000,
  maxBufferedEvents: 1_000,
  maxBufferedEventBytes: 4_000_000,
  heartbeatIntervalMs: 15_000,
};
