import type { Command } from 'commander'
import { type AccessOptions, askSource, type TokenSource } from '../../../conformance/index.ts'
import type { Contract } from '../../../spec/index.ts'
import { type ResolvedSettings, resolvedSettingsOf } from '../../config/resolved-settings.ts'
import type { OtherUserFlags } from '../../options/selection-flags.ts'
import { embeddedMock, type Target } from '../../options/server-flags.ts'
import type { TokenFlags } from '../../options/token-flags.ts'
import { UsageError } from '../../process/exit.ts'
import { type WfcCredentials, wfcCredentials } from './login.ts'
import { oauthSource } from './oauth-token.ts'
import { commandSource, fileSource } from './one-token.ts'

/** The right token, or what gives it; undefined if nothing says where it comes from. */
export type Token = string | TokenSource | undefined

const sources = {
  token: '--token',
  tokenCommand: '--token-command',
  tokenFile: '--token-file',
  authWfc: '--auth-wfc',
  oauthClientId: '--oauth-client-id',
} as const

type SourceName = keyof typeof sources

const ranks = ['default', 'folder', 'file', 'environment', 'flag'] as const

/**
 * Chooses the source of the token: a flag before the environment before the configuration file. Throws UsageError if two are given in
 * the same place, or if one is incomplete.
 */
export const tokenOf = (
  flags: TokenFlags,
  command: Command,
  contract: Contract,
  access: AccessOptions,
  server: Target,
): Token => {
  const name = chosenSource(sources, flags, command)
  if (flags.oauthClientId === undefined && (flags.oauthTokenUrl ?? flags.oauthScope) !== undefined)
    throw new UsageError(
      `${flags.oauthTokenUrl === undefined ? '--oauth-scope' : '--oauth-token-url'} needs --oauth-client-id`,
    )
  switch (name) {
    case null:
      return undefined
    case 'token':
      return flags.token
    case 'tokenCommand':
      return commandSource(flags.tokenCommand as string)
    case 'authWfc':
      return wfcOf(flags, command, access, server)?.token
    case 'tokenFile':
      return fileSource(flags.tokenFile as string)
    case 'oauthClientId':
      return oauthSource({ ...flags, clientId: flags.oauthClientId as string }, contract, access)
  }
}

/** What `--auth-wfc` gives, if the token comes from there; null: it does not. Throws UsageError. */
export const wfcOf = (
  flags: TokenFlags,
  command: Command,
  access: AccessOptions,
  server: Target,
): WfcCredentials | null => {
  if (chosenSource(sources, flags, command) !== 'authWfc') return null
  if (server === embeddedMock) throw new UsageError('--auth-wfc needs the URL of a server to log in to')
  return wfcCredentials(flags.authWfc, server, access)
}

/** The options of a run with the form and the headers that `--auth-wfc` gives; `--auth` goes before them. */
export const inWfcForm = <O extends AccessOptions & { readonly auth?: string | undefined }>(
  options: O,
  wfc: WfcCredentials | null,
): O =>
  wfc === null
    ? options
    : { ...options, auth: options.auth ?? wfc.auth, headers: [...(options.headers ?? []), ...wfc.headers] }

/** The one of these sources that is given, a flag before the environment before a file; null: none is. Throws UsageError if two are in one place. */
const chosenSource = <N extends string>(
  sources: Readonly<Record<N, string>>,
  flags: { readonly [M in NoInfer<N>]?: unknown },
  command: Command,
): N | null => {
  const { settings }: ResolvedSettings = resolvedSettingsOf(command)
  const rankOf = (name: N): number => {
    const kind = settings.find(({ setting }) => setting.name === name)?.origin.kind
    return kind === undefined ? 0 : ranks.indexOf(kind)
  }
  const given = (Object.keys(sources) as N[])
    .filter(name => flags[name] !== undefined)
    .sort((left, right) => rankOf(right) - rankOf(left))
  const [first, second] = given
  if (first !== undefined && second !== undefined && rankOf(first) === rankOf(second))
    throw new UsageError(
      `${sources[first]} and ${sources[second]} both say where the token comes from: give one of them`,
    )
  return first ?? null
}

/** Whether the flags, the environment or the configuration say where a token comes from. */
export const hasToken = (flags: TokenFlags): boolean =>
  (Object.keys(sources) as SourceName[]).some(name => flags[name] !== undefined)

/** The token that a source gives now. */
export const tokenNow = async (token: Token): Promise<string | undefined> => {
  if (typeof token !== 'function') return token
  return (await askSource(token, null)).token
}

/** The same source, which adds each token to a list. */
export const listed = (token: Token, list: string[]): Token => {
  if (typeof token !== 'function') {
    if (token !== undefined) list.push(token)
    return token
  }
  return async replaced => {
    const issued = await askSource(token, replaced)
    if (!list.includes(issued.token)) list.push(issued.token)
    return issued
  }
}

/** The sources in which the token of another user may be, by their settings. */
export const otherSources = {
  otherToken: '--other-token',
  otherTokenCommand: '--other-token-command',
  otherTokenFile: '--other-token-file',
  otherUser: '--other-user',
} as const

/** Chooses the source of the token of another user, as `tokenOf` does. Throws UsageError. */
export const otherTokenOf = (
  flags: OtherUserFlags & TokenFlags,
  command: Command,
  access: AccessOptions,
  server: Target,
): Token => {
  switch (chosenSource(otherSources, flags, command)) {
    case null:
      return undefined
    case 'otherToken':
      return flags.otherToken
    case 'otherTokenCommand':
      return commandSource(flags.otherTokenCommand as string, otherSources.otherTokenCommand)
    case 'otherTokenFile':
      return fileSource(flags.otherTokenFile as string, otherSources.otherTokenFile)
    case 'otherUser':
      return tokenOfUser(flags, command, access, server)
  }
}

/** Both users have to send their tokens in one way: nothing but the token tells them apart. */
const tokenOfUser = (
  flags: OtherUserFlags & TokenFlags,
  command: Command,
  access: AccessOptions,
  server: Target,
): Token => {
  const first = wfcOf(flags, command, access, server)
  if (first === null || server === embeddedMock)
    throw new UsageError('--other-user needs --auth-wfc: it names another user of that file')
  const other = wfcCredentials(flags.authWfc, server, access, flags.otherUser)
  if (other.auth !== first.auth)
    throw new UsageError(
      `--other-user: both users have to send their tokens alike, but one sends ${first.auth}, the other ${other.auth}`,
    )
  if (first.headers.length + other.headers.length > 0)
    throw new UsageError('--other-user: users with several headers cannot be told apart by one of them')
  return other.token
}
