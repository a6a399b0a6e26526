import { Option } from 'commander'
import { mockDefaults } from '../../mock/defaults.ts'
import type { RunEvent } from '../../spec/index.ts'
import { type LogKind, logKinds } from './output-flags.ts'
import { integer, path, target } from './parse.ts'

/** How a server of ours listens and logs: the mock, or the proxy. */
export type ServerFlags = {
  readonly port: number
  readonly host: string
  readonly log?: LogKind
  readonly maxBody: number
  readonly tls?: boolean
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly tlsCertOut?: string
}

export const addressOptions = (port: number): readonly Option[] => [
  new Option('--port <n>', 'port, or 0 for any free one').argParser(integer(0, 65_535)).default(port),
  new Option('--host <address>', 'address to listen on').default(mockDefaults.host),
]

export const logOption = (): Option =>
  new Option(
    '--log <format>',
    'how to log requests on stderr; by default text on a terminal, otherwise none',
  ).choices(logKinds)

export const maxBodyOption = (description: string): Option =>
  new Option('--max-body <bytes>', description)
    .argParser(integer(1, 2 ** 31 - 1))
    .default(mockDefaults.maxBodyBytes, `${mockDefaults.maxBodyBytes / 2 ** 20} MiB`)

export const tlsOptions = (): readonly Option[] => [
  new Option('--tls', 'serve https, with a new self-signed certificate'),
  new Option('--tls-cert <file>', 'serve https, with this certificate (PEM) and --tls-key').argParser(path),
  new Option('--tls-key <file>', 'private key of --tls-cert (PEM)').argParser(path),
  new Option(
    '--tls-cert-out <file>',
    'serve https, and write the certificate for clients to trust (verify --ca)',
  ).argParser(path),
]

export const replayOption = (): Option =>
  new Option(
    '--replay <file>',
    'answer requests like those in this HAR file or Postman collection as it was recorded, and all others as usual',
  ).argParser(path)

/** The name of the mock that is started for one run: records show it instead of the port, and it can be given as the URL. */
export const embeddedMock = 'embedded-mock'

export type Target = URL | typeof embeddedMock

/** A base URL, or the name of the embedded mock. */
export const server = (text: string): Target => (text === embeddedMock ? text : target(text))

/** The event as it is recorded: with the name of the embedded mock instead of its URL. All may be sent to it. */
export const withTargetName = <E extends RunEvent>(event: E, target: Target): E => {
  if (event.type !== 'start' || target !== embeddedMock) return event
  const { include: _, ...selection } = event.selection
  return { ...event, target, selection }
}
