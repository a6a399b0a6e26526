// The package has types, but its `exports` do not lead to them.
declare module 'har-validator-compiled' {
  /** Throws if it is not HAR 1.2. */
  export const validateHar: (har: unknown) => unknown
}
