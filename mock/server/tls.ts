import { createPrivateKey, X509Certificate } from 'node:crypto'
import { ListenError } from '../errors.ts'
import type { Certificate } from './self-signed.ts'

/** The certificate that is given, or one made for `host`; null: plain HTTP. Throws ListenError if it cannot be used. */
export const certificateFor = async (
  tls: boolean | Certificate,
  host: string,
  now: number,
): Promise<Certificate | null> => {
  if (tls === false) return null
  if (tls === true) return (await import('./self-signed.ts')).selfSigned(host, now)
  const problem = problemOf(tls)
  if (problem !== null) throw new ListenError(problem)
  return tls
}

const problemOf = ({ key, cert }: Certificate): string | null => {
  const certificate = readOr(() => new X509Certificate(cert))
  if (certificate === null)
    return 'invalid TLS certificate: it must be PEM, beginning with -----BEGIN CERTIFICATE-----'
  const privateKey = readOr(() => createPrivateKey(key))
  if (privateKey === null)
    return 'invalid TLS key: it must be PEM, beginning with -----BEGIN PRIVATE KEY-----, without a passphrase'
  return certificate.checkPrivateKey(privateKey) ? null : 'the TLS key does not belong to the certificate'
}

const readOr = <T>(read: () => T): T | null => {
  try {
    return read()
  } catch {
    return null
  }
}
