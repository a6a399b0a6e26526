import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
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
