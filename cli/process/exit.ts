import type { Ledger } from '../../spec/index.ts'

/** Exit codes: each is a sentence, and stable. */
export const exitCodes = {
  conforms: 0,
  broken: 1,
  usage: 2,
  document: 3,
  inconclusive: 4,
  internal: 5,
  interrupted: 130,
  terminated: 143,
} as const

/** Something that the caller can put right; the message is one line and says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export const exitCodeOf = (ledger: Ledger): number => {
  switch (ledger.end?.conclusion) {
    case 'conformant':
      return exitCodes.conforms
    case 'nonconformant':
      return exitCodes.broken
    default:
      return exitCodes.inconclusive
  }
}

export type Fault = { readonly code: number; readonly message: string }

// By name, so that a mistyped flag need not wait until the rooms are loaded that throw these.
const known: ReadonlyMap<string, number> = new Map([
  ['UsageError', exitCodes.usage],
  ['ListenError', exitCodes.usage],
  ['OptionError', exitCodes.usage],
  ['MutantError', exitCodes.usage],
  ['BundleError', exitCodes.usage],
  ['LedgerError', exitCodes.usage],
  ['PartError', exitCodes.usage],
  ['ReplayError', exitCodes.usage],
  ['ScenarioError', exitCodes.usage],
  ['SelectionError', exitCodes.usage],
  ['WaiverError', exitCodes.usage],
  ['BaselineError', exitCodes.usage],
  ['PinError', exitCodes.usage],
  ['DocumentError', exitCodes.document],
])

/** What to say of an error, and with which code to leave. */
export const faultOf = (error: unknown): Fault => {
  const { name, stack, message } = error instanceof Error ? error : new Error(String(error))
  const code = known.get(name)
  if (code !== undefined) return { code, message }
  return {
    code: exitCodes.internal,
    message: `internal error: ${message}\n${stack ?? ''}\nplease report this with the command that led to it`,
  }
}
