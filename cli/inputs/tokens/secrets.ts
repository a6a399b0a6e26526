import type { VerifyOptions } from '../../../conformance/index.ts'
import { askSource, type TokenSource } from '../../../conformance/index.ts'
import { type Contract, secretName, secretPrefix } from '../../../spec/index.ts'
import { schemeSecret } from '../../options/environment.ts'
import type { TokenFlags } from '../../options/token-flags.ts'
import { UsageError } from '../../process/exit.ts'
import { commandSource, fileSource, oneToken } from './one-token.ts'
import { listed } from './token.ts'

type Secrets = NonNullable<VerifyOptions['secrets']>

/**
 * The secrets of security schemes: a flag or the configuration goes before the environment. Each that is used is added to `list`. Throws
 * UsageError if two say where the secret of one scheme comes from.
 */
export const secretsOf = (
  { secret = [], secretFile = [], secretCommand = [] }: TokenFlags,
  { operations }: Contract,
  list: string[],
): Secrets => {
  const found = new Map<string, string | TokenSource>()
  const add = (scheme: string, given: string | TokenSource): void => {
    if (found.has(scheme))
      throw new UsageError(
        `the secret of ${scheme} is given twice: by one of --secret, --secret-file and --secret-command, once`,
      )
    found.set(scheme, listed(given, list) ?? given)
  }
  for (const [scheme, value] of secret) add(scheme, value)
  for (const [scheme, file] of secretFile) add(scheme, fileSource(file, '--secret-file'))
  for (const [scheme, command] of secretCommand) add(scheme, commandSource(command, '--secret-command'))
  const schemes = new Set(operations.flatMap(({ security }) => security.flat().map(({ name }) => name)))
  for (const scheme of schemes) {
    const variable = secretPrefix + secretName(scheme)
    const value = schemeSecret(variable)
    if (value !== null && !found.has(scheme)) add(scheme, oneToken(variable, value))
  }
  return Object.fromEntries(found)
}

/** The secrets that the sources give now. */
export const secretsNow = async (secrets: Secrets): Promise<Readonly<Record<string, string>>> => {
  const now: Record<string, string> = {}
  for (const [scheme, given] of Object.entries(secrets))
    now[scheme] = typeof given === 'string' ? given : (await askSource(given, null)).token
  return now
}
