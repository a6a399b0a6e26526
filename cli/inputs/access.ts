import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { AccessOptions } from '../../conformance/index.ts'
import type { Contract } from '../../spec/index.ts'
import { embeddedMock, type Target } from '../options/server-target.ts'
import type { TransportFlags } from '../options/transport-flags.ts'
import { say } from '../outputs/terminal.ts'
import { UsageError } from '../process/exit.ts'
import { environmentProxy } from './proxy.ts'

/** The flags as the rooms take them, with the files read. Throws UsageError where one cannot be used. */
export const accessOf = (flags: TransportFlags, server: Target, contract: Contract): AccessOptions => {
  if (flags.insecure === true) say('warning: --insecure: the server’s certificate is not checked')
  refuseDeclared(flags, contract)
  const { ca, cert, key } = pemsOf(flags)
  const proxy = flags.proxy ?? (server === embeddedMock ? undefined : environmentProxy(server))
  return {
    timeoutMs: flags.timeout * 1000,
    insecure: flags.insecure === true,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(proxy === undefined ? {} : { proxy }),
    ...(flags.header === undefined ? {} : { headers: flags.header }),
    ...(flags.rate === undefined ? {} : { rate: flags.rate }),
  }
}

/** A header that the contract speaks of is sent, and left out, by the suite. */
const refuseDeclared = ({ header = [] }: TransportFlags, { operations }: Contract): void => {
  for (const [name] of header) {
    const own = name.toLowerCase()
    for (const { id, parameters, security } of operations) {
      const declared = [
        ...parameters.map(parameter =>
          parameter.in === 'cookie' ? 'cookie' : parameter.in === 'header' ? parameter.name : '',
        ),
        ...security
          .flat()
          .map(scheme =>
            scheme.kind !== 'apiKey'
              ? ''
              : scheme.in === 'cookie'
                ? 'cookie'
                : scheme.in === 'header'
                  ? scheme.key
                  : '',
          ),
      ]
      if (declared.some(one => one.toLowerCase() === own))
        throw new UsageError(`--header ${name}: the contract declares it for ${id}, so it is what is tested`)
    }
  }
}

type Pems = { readonly ca?: string; readonly cert?: string; readonly key?: string }

const pemsOf = ({ ca, cert, key }: TransportFlags): Pems => {
  if ((cert === undefined) !== (key === undefined))
    throw new UsageError(
      `--cert and --key belong together: give ${cert === undefined ? '--cert' : '--key'} as well`,
    )
  const trusted = ca === undefined ? {} : { ca: readPem('--ca', ca, certificate) }
  if (cert === undefined || key === undefined) return trusted
  const pems = {
    ...trusted,
    cert: readPem('--cert', cert, certificate),
    key: readPem('--key', key, privateKey),
  }
  if (!new X509Certificate(pems.cert).checkPrivateKey(privateKey(pems.key)))
    throw new UsageError(`--key ${key} is not the key of the certificate in --cert ${cert}`)
  return pems
}

/** The PEM in a flag's file. Throws UsageError where there is none. */
export const readPem = (flag: string, file: string, check: (pem: string) => unknown): string => {
  let pem: string
  try {
    pem = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${flag} ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  try {
    check(pem)
  } catch (error) {
    throw new UsageError(`${flag} ${file} ${(error as Error).message}`)
  }
  return pem
}

export const certificate = (pem: string): X509Certificate => {
  try {
    return new X509Certificate(pem)
  } catch {
    throw new Error('holds no certificate: it must be PEM, beginning with -----BEGIN CERTIFICATE-----')
  }
}

export const privateKey = (pem: string): KeyObject => {
  if (/ENCRYPTED/.test(pem)) throw new Error('holds a key under a passphrase: give it without one')
  try {
    return createPrivateKey(pem)
  } catch {
    throw new Error('holds no private key: it must be PEM, beginning with -----BEGIN PRIVATE KEY-----')
  }
}
