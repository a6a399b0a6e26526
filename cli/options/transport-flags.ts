import { InvalidArgumentError, Option } from 'commander'
import { isProxy } from '../inputs/proxy.ts'
import { duration, each, path, whole } from './parse.ts'

/** How the server is reached: the same for every verb that sends requests. */
export type TransportFlags = {
  readonly timeout: number
  readonly rate?: number
  readonly proxy?: URL
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly insecure?: boolean
  readonly header?: readonly (readonly [name: string, value: string])[]
}

export const transportOptions = (): readonly Option[] => [
  new Option('--timeout <duration>', 'how long one answer may take').argParser(duration).default(5, '5s'),
  new Option('--rate <n>', 'requests a second, spread evenly (default: as fast as it goes)').argParser(
    whole(1, 100_000),
  ),
  new Option(
    '--header <header>',
    "one more header for every request, such as 'X-Key: 1'; repeatable",
  ).argParser(each(header)),
  new Option('--proxy <url>', 'go through this proxy (or HTTP_PROXY, HTTPS_PROXY, NO_PROXY)').argParser(
    proxy,
  ),
  new Option('--ca <file>', 'PEM of the certificates to trust instead of the system’s').argParser(path),
  new Option('--cert <file>', 'PEM of the client’s certificate, with --key').argParser(path),
  new Option('--key <file>', 'PEM of its private key, with --cert').argParser(path),
  new Option('--insecure', 'accept certificates that cannot be trusted'),
]

const proxy = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !isProxy(url))
    throw new InvalidArgumentError('It must be an http or https URL, such as http://proxy.test:3128.')
  return url
}

/** Headers that the suite tests, or that belong to the connection. */
const taken = [
  'accept',
  'accept-encoding',
  'authorization',
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
  const [, name = '', value = ''] = /^([^:]*):[ \t]*(.*?)[ \t]*$/s.exec(text) ?? []
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || value === '' || /[^\t\x20-\x7e\x80-\xff]/.test(value))
    throw new InvalidArgumentError("It must be a name and a value, such as 'X-Key: 1'.")
  if (taken.includes(name.toLowerCase()))
    throw new InvalidArgumentError(`${name} is what is tested: it cannot be given for every request.`)
  return [name, value]
}
