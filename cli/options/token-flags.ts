import { Option } from 'commander'
import {
  auth,
  command,
  each,
  endpoint,
  type NamedSecret,
  path,
  pathOr,
  secret,
  secretCommand,
  secretPath,
  text,
  token,
} from './parse.ts'

/** Where the right token comes from: the same for every command that sends it. */
export type TokenFlags = {
  readonly token?: string
  readonly auth?: string
  readonly authWfc?: unknown
  readonly secret?: readonly NamedSecret[]
  readonly secretFile?: readonly NamedSecret[]
  readonly secretCommand?: readonly NamedSecret[]
  readonly tokenCommand?: string
  readonly tokenFile?: string
  readonly oauthClientId?: string
  readonly oauthTokenUrl?: URL
  readonly oauthScope?: string
  readonly oauthAuthMethod: 'basic' | 'body'
}

export const secretOption = (description: string): Option =>
  new Option('--secret <name=secret>', description).argParser(each(secret))

export const tokenOptions = (description: string): readonly Option[] => [
  new Option('--token <token>', description).argParser(token),
  new Option(
    '--auth <form>',
    "how the token is sent, whatever the document declares: bearer, basic, header:X-Key, query:key, cookie:sid or 'Authorization: token {}'",
  ).argParser(auth),
  new Option(
    '--token-command <command>',
    'a shell command that prints a valid token; it runs again when the token expires',
  ).argParser(command),
  new Option(
    '--token-file <file>',
    'a file that holds a valid token; it is read again when it changes',
  ).argParser(path),
  new Option(
    '--auth-wfc <file>',
    'headers or a login of its first user, in the format that API fuzzers share (Web Fuzzing Commons)',
  ).argParser(pathOr({ type: 'object' })),
  secretOption('the secret of one security scheme of several (or PLANTSTORE_SECRET_NAME); repeatable'),
  new Option(
    '--secret-file <name=file>',
    'a file that holds the secret, like --token-file; repeatable',
  ).argParser(each(secretPath)),
  new Option(
    '--secret-command <name=command>',
    'a shell command that prints the secret, like --token-command; repeatable',
  ).argParser(each(secretCommand)),
  new Option(
    '--oauth-client-id <id>',
    'get a valid token by OAuth 2.0 client credentials (secret: PLANTSTORE_OAUTH_CLIENT_SECRET)',
  ).argParser(text),
  new Option(
    '--oauth-token-url <url>',
    'token endpoint (default: tokenUrl of the clientCredentials flow in the document)',
  ).argParser(endpoint),
  new Option('--oauth-scope <scopes>', 'scopes to ask for, with spaces between them').argParser(text),
  new Option('--oauth-auth-method <method>', 'how the client authenticates: HTTP Basic, or in the body')
    .choices(['basic', 'body'])
    .default('basic'),
]
