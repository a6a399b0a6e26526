export type TerminalOptions = {
  readonly colour: boolean
  readonly verbosity: 'quiet' | 'normal' | 'verbose'
  /** The ledger file as a reader would type it, for the replay commands. */
  readonly ledger: string
  /** Where the report to open is; null where none was written. */
  readonly report: string | null
}
