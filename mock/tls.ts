import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { Certificate } from './certificate.ts'
import { ListenError } from './listen-error.ts'

/** What to speak TLS with: what was given, or one made for `host`. Throws ListenError where it cannot be used. */
export const certificateOf = async (
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
  const own = readOr(() => new X509Certificate(cert))
  if (own === null)
    return 'the TLS certificate is none: it must be PEM, beginning with -----BEGIN CERTIFICATE-----'
  const secret = readOr(() => createPrivateKey(key))
  if (secret === null)
    return 'the TLS key is none: it must be PEM, beginning with -----BEGIN PRIVATE KEY-----, without a passphrase'
  return own.checkPrivateKey(secret) ? null : 'the TLS key is not the key of the certificate'
}

const readOr = <T>(read: () => T): T | null => {
  try {
    return read()
  } catch {
    return null
  }
}
