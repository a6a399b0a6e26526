import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { UsageError } from '../process/exit.ts'

/** Reads the PEM in a flag's file; `check` throws if it is not usable. Throws UsageError. */
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

/** The files of a certificate and its key, as two flags name them. */
export type PemFlags = {
  readonly certFlag: string
  readonly cert: string | undefined
  readonly keyFlag: string
  readonly key: string | undefined
}

/** Reads a certificate and its key; null if neither is given. Throws UsageError if they do not belong together. */
export const readPemPair = ({ certFlag, cert, keyFlag, key }: PemFlags) => {
  if (cert === undefined && key === undefined) return null
  if (cert === undefined || key === undefined)
    throw new UsageError(
      `${certFlag} and ${keyFlag} belong together: also give ${cert === undefined ? certFlag : keyFlag}`,
    )
  const pems = {
    cert: readPem(certFlag, cert, certificate),
    key: readPem(keyFlag, key, privateKey),
  }
  if (!certificate(pems.cert).checkPrivateKey(privateKey(pems.key)))
    throw new UsageError(`${keyFlag} ${key} is not the key of the certificate in ${certFlag} ${cert}`)
  return pems
}

export const certificate = (pem: string): X509Certificate => {
  try {
    return new X509Certificate(pem)
  } catch {
    throw new Error('has no certificate: it must be PEM and begin with -----BEGIN CERTIFICATE-----')
  }
}

const privateKey = (pem: string): KeyObject => {
  if (/ENCRYPTED/.test(pem)) throw new Error('has an encrypted key: give it without a passphrase')
  try {
    return createPrivateKey(pem)
  } catch {
    throw new Error('has no private key: it must be PEM and begin with -----BEGIN PRIVATE KEY-----')
  }
}

type TlsFlags = {
  readonly tls?: boolean
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly tlsCertOut?: string
}

/** The `tls` option of the mock. Throws UsageError if a file cannot be used, before the mock listens. */
export const tlsOf = ({ tls, tlsCert, tlsKey, tlsCertOut }: TlsFlags) => {
  if (tlsCertOut !== undefined) write(tlsCertOut, '')
  const pair = readPemPair({ certFlag: '--tls-cert', cert: tlsCert, keyFlag: '--tls-key', key: tlsKey })
  return pair ?? (tls === true || tlsCertOut !== undefined)
}

/** Describes the certificate that clients have to trust, and writes it if a file is given. */
export const publishCertificate = (pem: string | null, file: string | undefined): readonly string[] => {
  if (pem === null) return []
  const { fingerprint256, validTo } = certificate(pem)
  const description = `certificate SHA-256 ${fingerprint256}, valid until ${validTo}`
  if (file === undefined) return [description]
  write(file, pem)
  return [description, `to trust it: plantstore verify --ca ${file}`]
}

const write = (file: string, text: string): void => {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new UsageError(
      `--tls-cert-out ${file} cannot be written (${(error as NodeJS.ErrnoException).code})`,
    )
  }
}
