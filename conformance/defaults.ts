/** What `verify` does by default. This file loads nothing, so that the help of a command can show it at once. */
export const verifyDefaults = {
  /** Planned cases, unless a time limit is the only budget. */
  cases: 1500,
  /** Requests in flight, at most; how many it is follows from what the server shows. */
  concurrency: 128,
  /** Milliseconds for one response. */
  timeoutMs: 5000,
  /** Where callbacks come to, and how many milliseconds to wait for each. */
  listen: { host: '127.0.0.1', port: 0, publicUrl: null, waitMs: 5000 },
  /** Requests of sustained load for each case, and at most. */
  sustained: { share: 1.5, most: 3000 },
} as const
