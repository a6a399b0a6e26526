/** The defaults of options that the command line shows. This file loads nothing, so that a command can show its help at once. */
export const mockDefaults = {
  host: '127.0.0.1',
  /** Largest body of a request in bytes. */
  maxBodyBytes: 10 * 1024 * 1024,
} as const

/** How a proxy treats what breaks the contract: it passes it on, or it does not. */
export const forwardModes = ['observe', 'enforce'] as const
