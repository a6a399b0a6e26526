import { InvalidArgumentError, Option } from 'commander'
import { verifyDefaults } from '../../conformance/defaults.ts'
import { duration, each, integer, isHttp, path } from './parse.ts'

/** Which certificates of a server are trusted, and which one it gets. */
export type TrustFlags = {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly insecure?: boolean
}

/** How the server is reached: the same for every command that sends requests. */
export type TransportFlags = TrustFlags & {
  readonly timeout: number
  readonly rate?: number
  readonly proxy?: URL
  readonly header?: readonly (readonly [name: string, value: string])[]
  readonly requestHook?: string
}

export const transportOptions = (): readonly Option[] => [
  new Option('--timeout <duration>', 'give up on a response after this time')
    .argParser(duration)
    .default(verifyDefaults.timeoutMs / 1000, `${verifyDefaults.timeoutMs / 1000}s`),
  new Option('--rate <n>', 'requests per second, evenly spread (default: no limit)').argParser(
    integer(1, 100_000),
  ),
  new Option(
    '--header <header>',
    "a header to add to every request, such as 'X-Key: 1'; repeatable",
  ).argParser(each(header)),
  requestHookOption(),
  new Option('--proxy <url>', 'connect through this proxy (or HTTP_PROXY, HTTPS_PROXY, NO_PROXY)').argParser(
    proxy,
  ),
  ...trustOptions(),
]

export const requestHookOption = (): Option =>
  new Option(
    '--request-hook <file>',
    'a module that sees each request before it is sent, and returns headers to add, such as a signature',
  ).argParser(path)

export const trustOptions = (): readonly Option[] => [
  new Option('--ca <file>', 'certificates to trust instead of the system’s (PEM)').argParser(path),
  new Option('--cert <file>', 'client certificate (PEM), with --key').argParser(path),
  new Option('--key <file>', 'private key of --cert (PEM)').argParser(path),
  new Option('--insecure', 'accept untrusted certificates'),
]

const proxy = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !isHttp(url))
    throw new InvalidArgumentError('It must be an http or https URL, such as http://proxy.test:3128.')
  return url
}

/** Headers that the suite tests, or that belong to the connection. */
const reserved = [
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

const header = (text: string): readonly [string, string] => {
  const [, name = '', value = ''] = /^([^:]*):[ \t]*([^ \t](?:.*[^ \t])?)[ \t]*$/s.exec(text) ?? []
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || value === '' || /[^\t\x20-\x7e\x80-\xff]/.test(value))
    throw new InvalidArgumentError("It must be a name and a value, such as 'X-Key: 1'.")
  if (reserved.includes(name.toLowerCase()))
    throw new InvalidArgumentError(`The suite tests or sets ${name} itself.`)
  return [name, value]
}
