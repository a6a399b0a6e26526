import type { Command } from 'commander'
import type { AccessOptions } from '../../../conformance/index.ts'
import type { OtherUserFlags } from '../../options/other-user-flags.ts'
import { embeddedMock, type Target } from '../../options/server-target.ts'
import type { TokenFlags } from '../../options/token-flags.ts'
import { UsageError } from '../../process/exit.ts'
import { wfcCredentials } from './login.ts'
import { chosenSource, type Token, wfcOf } from './token.ts'
import { commandSource } from './token-command.ts'
import { fileSource } from './token-file.ts'

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
