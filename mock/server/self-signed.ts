import 'reflect-metadata'
import { isIP } from 'node:net'
import * as x509 from '@peculiar/x509'

/** PEM: a key, and its certificate, with the chain behind it if there is one. */
export type Certificate = { readonly key: string; readonly cert: string }

const hourMs = 3_600_000
const validDays = 90

/** A self-signed certificate for the local names of this machine and `host`, valid from an hour before `now` (ms). */
export const selfSigned = async (host: string, now: number): Promise<Certificate> => {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const names = [...new Set(['localhost', '127.0.0.1', '::1', host])]
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=plantstore mock',
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(now - hourMs),
    notAfter: new Date(now + validDays * 24 * hourMs),
    extensions: [
      new x509.SubjectAlternativeNameExtension(
        names.map(value => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
      ),
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { key: x509.PemConverter.encode(key, 'PRIVATE KEY'), cert: `${certificate.toString('pem')}\n` }
}
