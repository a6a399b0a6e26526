import { Option } from 'commander'
import { command, path, text, token } from './parse.ts'

/** Where the token of another user comes from: the same for every command that sends it. */
export type OtherUserFlags = {
  readonly otherToken?: string
  readonly otherTokenCommand?: string
  readonly otherTokenFile?: string
  readonly otherUser?: string
}

export const otherUserOptions = (): readonly Option[] => [
  new Option(
    '--other-token <token>',
    'a valid token of a second user (or PLANTSTORE_OTHER_TOKEN), to test who may have what the first one creates',
  ).argParser(token),
  new Option(
    '--other-token-command <command>',
    'a shell command that prints the token of the second user',
  ).argParser(command),
  new Option('--other-token-file <file>', 'a file that holds the token of the second user').argParser(path),
  new Option('--other-user <name>', 'the second user is this one of --auth-wfc').argParser(text),
]
