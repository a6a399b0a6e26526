import { constants, createHash, verify, X509Certificate } from 'node:crypto'
import { foldLedger, type Ledger } from '../../spec/index.ts'
import { BundleError } from '../errors.ts'
import { readLedger } from '../ledger/ndjson.ts'
import { certificateText, givenPairs, isOfMock, mockText, seedText, testedName } from '../view/run-record.ts'
import { isValidAt, pathToRoot } from './certificate-path.ts'
import { contractName, ledgerName, manifestName, timeStampName, withFile } from './contents.ts'
import type { Manifest } from './manifest.ts'
import { unpack } from './pack.ts'
import type { Signer, Token } from './tsp-library.ts'

/** Whom to believe the time. */
export type TimeTrust = {
  /** PEM of the certificates that may have issued that of an authority, directly or by others. */
  readonly roots: readonly string[]
  /** Whether there has to be a time stamp whose certificate leads to one of the roots. */
  readonly isRequired: boolean
  /** When the check takes place. */
  readonly now: Date
}

/** A time stamp of a bundle's manifest that is valid. */
export type TimeStamp = {
  readonly time: Date
  /** The subject of the authority's certificate, on one line. */
  readonly authority: string
  /** The subject of the root that its certificate leads to; null if it was not checked up to one. */
  readonly root: string | null
  /** Why it was not; empty if it was. */
  readonly unchecked: string
}

/** What to send to a time-stamping authority for a bundle (DER of a TimeStampReq). `nonce`: eight random bytes. */
export const timeStampRequest = async (zip: Uint8Array, nonce: Uint8Array): Promise<Uint8Array> => {
  const { encodeRequest } = await library()
  return encodeRequest(digestOf('sha256', manifestOf(zip)), positive(nonce))
}

/** Adds what an authority has answered to a bundle; no other file changes. Throws BundleError if it is no time stamp of this bundle. */
export const addTimeStamp = async (
  zip: Uint8Array,
  answer: Uint8Array,
  nonce: Uint8Array,
  trust: TimeTrust,
): Promise<{ readonly zip: Uint8Array; readonly timeStamp: TimeStamp }> => {
  const token = await tokenIn(answer)
  const timeStamp = check(token, manifestOf(zip), trust)
  if (token.nonce === null || Buffer.compare(token.nonce, positive(nonce)) !== 0)
    throw new BundleError('it answers another request: its nonce differs')
  return { zip: withFile(zip, timeStampName, answer), timeStamp }
}

/** The time stamp of a bundle; null if it has none and needs none. Throws BundleError with the reason if it is not valid. */
export const timeStampOf = async (zip: Uint8Array, trust: TimeTrust): Promise<TimeStamp | null> => {
  const answer = unpack(zip).get(timeStampName)
  if (answer !== undefined) return check(await tokenIn(answer), manifestOf(zip), trust)
  if (trust.isRequired) throw new BundleError('it is missing: this bundle has no time stamp')
  return null
}

/** Loaded when needed: most commands are shorter than that takes. */
const library = () => import('./tsp-library.ts')

const manifestOf = (zip: Uint8Array): Uint8Array => unpack(zip).get(manifestName) ?? new Uint8Array()

/** Without a sign and without leading zeros, which an integer would lose. */
const positive = (nonce: Uint8Array): Uint8Array =>
  nonce.map((byte, index) => (index === 0 ? (byte & 0x3f) | 0x40 : byte))

/** Far more than any has. */
const mostAnswerBytes = 64 * 1024
const notRead = 'it is not the answer of a time-stamping authority (RFC 3161)'

const tokenIn = async (bytes: Uint8Array): Promise<Token> => {
  if (bytes.length > mostAnswerBytes) throw new BundleError(`${notRead}: it has more than 64 KiB`)
  const { decodeAnswer } = await library()
  let answer: ReturnType<typeof decodeAnswer>
  try {
    answer = decodeAnswer(bytes)
  } catch (error) {
    throw new BundleError(`${notRead}: ${(error as Error).message.split('\n')[0]}`)
  }
  const { status, reasons, token } = answer
  if (status <= 1 && token !== null) return token
  throw new BundleError(`the authority has refused (status ${[status, ...reasons].join(', ').slice(0, 200)})`)
}

const tstInfo = '1.2.840.113549.1.9.16.1.4'
const timeStamping = '1.3.6.1.5.5.7.3.8'

const check = (token: Token, content: Uint8Array, trust: TimeTrust): TimeStamp => {
  const { imprint, time, certificates, signers } = token
  const [signer, ...others] = signers
  if (signer === undefined || others.length > 0 || token.contentType !== tstInfo)
    throw new BundleError(`${notRead}: it must have one signature, of a time`)
  if (imprint.algorithm !== sha256 || !equal(imprint.hash, digestOf('sha256', content)))
    throw new BundleError(`it is of another content, and not of ${manifestName}`)
  const named = certificates.find(({ bytes }) => isNamed(bytes, signer))
  if (named === undefined)
    throw new BundleError('it lacks the certificate that it names as the one of its authority')
  const certificate = read(named.bytes)
  const authority = nameOf(certificate)
  if (!isSigned(token, signer, certificate))
    throw new BundleError(`its signature is not valid: the time stamp was changed, or is not by ${authority}`)
  if (!named.hasCriticalUsage || certificate.keyUsage?.join() !== timeStamping)
    throw new BundleError(`the certificate of ${authority} is not one for time stamps only`)
  if (!isValidAt(certificate, time))
    throw new BundleError(
      `the certificate of ${authority} was not valid at ${time.toISOString()}, but ${validity(certificate)}`,
    )
  const intermediates = certificates.filter(other => other !== named).map(({ bytes }) => read(bytes))
  const path = pathToRoot(certificate, intermediates, trust.roots.map(read))
  const invalid = path?.find(each => !isValidAt(each, time) || !isValidAt(each, trust.now))
  const problem =
    path === null
      ? `its certificate leads to none of the ${trust.isRequired ? 'given certificates' : 'roots of Node.js'}`
      : invalid !== undefined
        ? `the certificate of ${nameOf(invalid)} is valid ${validity(invalid)} only`
        : ''
  if (problem !== '' && trust.isRequired) throw new BundleError(problem)
  const root = path?.at(-1)
  return {
    time,
    authority,
    root: root === undefined || problem !== '' ? null : nameOf(root),
    unchecked: problem,
  }
}

const sha256 = '2.16.840.1.101.3.4.2.1'
const hashes = new Map([
  ['1.3.14.3.2.26', 'sha1'],
  [sha256, 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
])

const digestOf = (algorithm: string, bytes: Uint8Array): Uint8Array =>
  createHash(algorithm).update(bytes).digest()

const equal = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

const isNamed = (bytes: Uint8Array, { certificate }: Signer): boolean => {
  const hash = hashes.get(certificate?.algorithm ?? '')
  return certificate !== null && hash !== undefined && equal(certificate.hash, digestOf(hash, bytes))
}

/** The hash of a signature, for the algorithms that name one; the others use that of the digest. */
const hashOfSignature = new Map([
  ['1.2.840.113549.1.1.11', 'sha256'],
  ['1.2.840.113549.1.1.12', 'sha384'],
  ['1.2.840.113549.1.1.13', 'sha512'],
  ['1.2.840.10045.4.3.2', 'sha256'],
  ['1.2.840.10045.4.3.3', 'sha384'],
  ['1.2.840.10045.4.3.4', 'sha512'],
])

const pss = '1.2.840.113549.1.1.10'

const isSigned = (token: Token, signer: Signer, certificate: X509Certificate): boolean => {
  const { digestAlgorithm, signatureAlgorithm, digest, contentType, attributes, signature } = signer
  const hash = hashes.get(digestAlgorithm)
  if (hash === undefined || hash === 'sha1')
    throw new BundleError('it is signed with an algorithm that is not accepted: SHA-256, 384 or 512 is')
  if (contentType !== tstInfo || digest === null || !equal(digest, digestOf(hash, token.content)))
    return false
  try {
    const { publicKey } = certificate
    const ownHash = publicKey.asymmetricKeyType?.startsWith('ed') === true
    return verify(
      ownHash ? null : (hashOfSignature.get(signatureAlgorithm) ?? hash),
      attributes,
      signatureAlgorithm === pss ? { key: publicKey, padding: constants.RSA_PKCS1_PSS_PADDING } : publicKey,
      signature,
    )
  } catch {
    return false
  }
}

/** Throws BundleError also for dates that are none. */
const read = (certificate: Uint8Array | string): X509Certificate => {
  try {
    const parsed = new X509Certificate(certificate)
    validity(parsed)
    return parsed
  } catch {
    throw new BundleError('one of its certificates cannot be read')
  }
}

const nameOf = ({ subject }: X509Certificate): string => subject.split('\n').join(', ').slice(0, 200)

const validity = ({ validFromDate, validToDate }: X509Certificate): string =>
  `from ${validFromDate.toISOString()} to ${validToDate.toISOString()}`

export type BundledRun = {
  readonly ledger: Ledger
  /** The JSON text of the contract; null if the bundle has none. */
  readonly document: string | null
}

/** Reads the run of an intact bundle: see `inspectBundle`. */
export const readBundle = (zip: Uint8Array): BundledRun => {
  const files = unpack(zip)
  const text = (name: string): string | null => {
    const bytes = files.get(name)
    return bytes === undefined ? null : new TextDecoder().decode(bytes)
  }
  return { ledger: foldLedger(readLedger(text(ledgerName) ?? '')), document: text(contractName) }
}

/** What a bundle is about, in one line: what was tested, the verdict, where, when, and with which requests. */
export const bundleTitle = ({ contract, run }: Manifest): string =>
  [testedName({ ...run, contract }), run.verdict, run.target, run.at, `seed ${seedText(run)}`].join(', ')

/** What else those who ran the tests say, and the certificates that the server showed, in one line each. */
export const bundleFacts = ({ run }: Manifest): readonly string[] => [
  ...(isOfMock(run) ? [`no product was tested: ${mockText}`] : []),
  ...givenPairs(run).map(([name, value]) => `${name.toLowerCase()}: ${value}`),
  ...run.certificates.map(certificate => `server certificate: ${certificateText(certificate)}`),
]
