import { randomBytes } from 'node:crypto'
import { getCACertificates } from 'node:tls'
import {
  addTimeStamp,
  BundleError,
  type Inspection,
  inspectBundle,
  type TimeStamp,
  type TimeTrust,
  timeStampOf,
  timeStampRequest,
} from '../../../reports/index.ts'
import { safeText } from '../../../spec/index.ts'
import { endpointFetch } from '../../inputs/endpoint.ts'
import { certificate, readPem } from '../../inputs/pem.ts'
import { product } from '../../process/product.ts'

export type TrustFlags = { readonly timestampCa?: string }

/** Whom to believe a time stamp: the certificates in the flag's file, otherwise the roots that Node.js trusts. Throws UsageError. */
export const timeTrustOf = ({ timestampCa }: TrustFlags): TimeTrust => {
  const now = new Date()
  if (timestampCa === undefined) return { roots: getCACertificates(), isRequired: false, now }
  const pem = readPem('--timestamp-ca', timestampCa, text => {
    for (const block of blocksOf(text)) certificate(block)
  })
  return { roots: blocksOf(pem), isRequired: true, now }
}

/** The certificates of a file; the whole of it if there are none, so that reading it fails. */
const blocksOf = (pem: string): readonly string[] => {
  const [begin, end] = ['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----']
  const blocks = pem
    .split(end)
    .slice(0, -1)
    .flatMap(part => (part.includes(begin) ? [part.slice(part.indexOf(begin)) + end] : []))
  return blocks.length === 0 ? [pem] : blocks
}

/** `timeStamp` is null if the bundle has none, or is not intact. */
export type Inspected = Inspection & { readonly timeStamp: TimeStamp | null }

/** Checks a bundle and, if it is intact, its time stamp. */
export const inspectWithTime = async (
  zip: Uint8Array,
  key: string | null,
  trust: TimeTrust,
): Promise<Inspected> => {
  const inspection = inspectBundle(zip, { key, version: product.version })
  if (inspection.problems.length > 0) return { ...inspection, timeStamp: null }
  try {
    return { ...inspection, timeStamp: await timeStampOf(zip, trust) }
  } catch (error) {
    if (!(error instanceof BundleError)) throw error
    return { ...inspection, problems: [`timestamp.tsr: ${error.message}`], timeStamp: null }
  }
}

/** What an authority may take for an answer. */
const waitSeconds = 30

/** A bundle with the time stamp of an authority; otherwise the reason why it has none, in one line. */
export const stampedBy = async (
  authority: URL,
  zip: Uint8Array,
  trust: TimeTrust,
): Promise<{ readonly zip: Uint8Array; readonly timeStamp: TimeStamp } | string> => {
  const nonce = randomBytes(8)
  try {
    const answer = await askAuthority(authority, await timeStampRequest(zip, nonce), waitSeconds)
    return await addTimeStamp(zip, answer, nonce, trust)
  } catch (error) {
    return safeText((error as Error).message).slice(0, 400)
  }
}

/** Sends a request to a time-stamping authority over HTTP (RFC 3161, 3.4). Throws Error with one line if it does not answer as one. */
export const askAuthority = async (
  authority: URL,
  request: Uint8Array,
  waitSeconds: number,
): Promise<Uint8Array> => {
  const headers = { 'content-type': 'application/timestamp-query', 'content-length': String(request.length) }
  const signal = AbortSignal.timeout(waitSeconds * 1000)
  let answer: Response
  try {
    answer = await endpointFetch(authority, {})(authority.href, { headers, body: request, signal })
  } catch (error) {
    if (signal.aborted) throw new Error(`it did not answer within ${waitSeconds} s`)
    const { code, message } = error as NodeJS.ErrnoException
    throw new Error(`it did not answer (${code ?? message})`)
  }
  const type = answer.headers.get('content-type')
  if (answer.status !== 200 || type?.split(';')[0]?.trim().toLowerCase() !== 'application/timestamp-reply')
    throw new Error(
      `it answered ${answer.status} with ${type ?? 'no content type'} instead of 200 with application/timestamp-reply`,
    )
  return answer.bytes()
}

/** `time stamp of 2026-11-21T09:30:02.000Z by CN=tsa.example.test, whose certificate leads to CN=Example Root` */
export const timeStampLine = ({ time, authority, root, unchecked }: TimeStamp): string => {
  const line = `time stamp of ${time.toISOString()} by ${authority}`
  return root === null
    ? `${line}, unchecked: ${unchecked} (give its root with --timestamp-ca)`
    : `${line}, whose certificate leads to ${root}`
}
