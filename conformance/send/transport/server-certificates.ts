import type { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { ServerCertificate } from '../../../spec/index.ts'

/** The certificates that a server has shown, in the order of their first use. */
export type ServerCertificates = {
  /** Notes the certificate of a connection that was just opened. */
  readonly add: (socket: Socket) => void
  readonly all: () => readonly ServerCertificate[]
}

/** A balancer has a handful of them; a server that shows a new one each time must not fill the ledger. */
export const mostCertificates = 10
const mostCharacters = 400

export const createServerCertificates = (): ServerCertificates => {
  const known = new Map<string, ServerCertificate>()
  return {
    add: socket => {
      if (known.size >= mostCertificates) return
      const { authorized, getPeerX509Certificate } = socket as TLSSocket
      const certificate = getPeerX509Certificate.call(socket)
      if (certificate === undefined || known.has(certificate.fingerprint256)) return
      known.set(certificate.fingerprint256, recordOf(certificate, authorized))
    },
    all: () => [...known.values()],
  }
}

const recordOf = (certificate: X509Certificate, isVerified: boolean): ServerCertificate => {
  const { subject, subjectAltName, issuer, validFromDate, validToDate, fingerprint256 } = certificate
  return {
    subject: nameText(subject),
    names: nameText(subjectAltName),
    issuer: nameText(issuer),
    from: validFromDate.toISOString(),
    to: validToDate.toISOString(),
    sha256: fingerprint256.replaceAll(':', '').toLowerCase(),
    verified: isVerified,
  }
}

/** `CN=staging.example.test, O=ACME`; Node has a line for each part, and nothing at all for an empty name. */
const nameText = (name: string | undefined): string => {
  const text = (name ?? '').replaceAll('\n', ', ').toWellFormed()
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters).toWellFormed()}…` : text
}
