import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { rejudge } from '../../conformance/index.ts'
import {
  type BundledRun,
  bundleFacts,
  bundleTitle,
  fingerprintOf,
  makeBundle,
  mostBytes,
  readBundle,
  signBundle,
} from '../../reports/index.ts'
import { builtIn, DocumentError, type Ledger, safeText } from '../../spec/index.ts'
import { settingsOfLedger } from '../config/shown-settings.ts'
import { contractFrom, loadQuietly } from '../inputs/contract.ts'
import { ledgerBytes, ledgerFrom } from '../inputs/ledger.ts'
import { readPem } from '../inputs/pem.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import { writeWhole } from '../outputs/whole-file.ts'
import { exitCodes, UsageError } from '../process/exit.ts'
import { product, runtimeInfo } from '../process/product.ts'
import { print, say } from '../process/terminal.ts'
import {
  type Inspected,
  inspectWithTime,
  stampedBy,
  type TrustFlags,
  timeStampLine,
  timeTrustOf,
} from './bundle/time-stamp.ts'

export type MakeFlags = SpecFlags & { readonly out: string }
export type KeygenFlags = { readonly out: string }
export type SignFlags = TrustFlags & { readonly key: string; readonly timestampAuthority?: URL }
export type VerifyBundleFlags = TrustFlags & { readonly key?: string }

export const runMake = async (file: string, flags: MakeFlags): Promise<number> => {
  const ledger = ledgerFrom(file)
  const bytes = ledgerBytes(file)
  const document = await documentOf(ledger, flags)
  const isText = typeof document === 'string'
  const zip = makeBundle({
    ledger: bytes,
    document: isText ? document : null,
    configuration: settingsOfLedger(ledger),
    environment: runtimeInfo('the making of the bundle'),
    missing: isText ? [] : [{ name: 'contract.json', reason: document.reason }],
  })
  writeZip(flags.out, zip)
  if (!isText) say(`contract.json is missing: ${document.reason}`)
  return exitCodes.conformant
}

/** The text of the contract that was tested, or the reason why it is not available. */
const documentOf = async (
  { start }: Ledger,
  { spec, networkRefs, refFolder, strictDocument }: SpecFlags,
): Promise<string | { readonly reason: string }> => {
  const from = spec ?? (start.contract.source === builtIn ? undefined : start.contract.source)
  const name = from ?? 'the plant store’s document'
  try {
    const { overlays: overlay } = start.contract
    const contract = await loadQuietly({ spec: from, overlay, networkRefs, refFolder, strictDocument })
    if (contract.digest === start.contract.digest) return JSON.stringify(contract.document)
    return { reason: `${name} has changed since the run: give the tested document with --spec` }
  } catch (error) {
    return { reason: `${name} cannot be read (${(error as Error).message.split('\n')[0]})` }
  }
}

export const runKeygen = ({ out }: KeygenFlags): number => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const names = { private: `${out}.private.pem`, public: `${out}.public.pem` }
  // Checked first, so that no private key is left without its public one.
  for (const file of Object.values(names)) if (existsSync(file)) throw keyExists(file)
  writeKey(names.private, privateKey.export({ format: 'pem', type: 'pkcs8' }), 0o600)
  const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString()
  writeKey(names.public, pem, 0o644)
  print(`written: ${names.private} (keep it secret)`)
  print(`written: ${names.public} (give it to those who check)`)
  print(`fingerprint: ${fingerprintOf(pem)}`)
  return exitCodes.conformant
}

export const runSign = async (file: string, flags: SignFlags): Promise<number> => {
  const { key, timestampAuthority: authority, timestampCa } = flags
  const privateKey = keyFrom(key, createPrivateKey, 'private')
  if (authority === undefined && timestampCa !== undefined)
    throw new UsageError('--timestamp-ca needs a time stamp to check: also give --timestamp-authority')
  const trust = timeTrustOf(flags)
  const zip = readZip(file)
  const { problems, timeStamp } = await inspectWithTime(zip, null, { ...trust, isRequired: false })
  if (problems.length > 0) {
    for (const problem of problems) print(safeText(problem))
    say(`plantstore: ${file} is not intact and was not signed`)
    return exitCodes.nonconformant
  }
  if (authority !== undefined && timeStamp !== null)
    throw new UsageError(
      `${file} has a time stamp of ${timeStamp.time.toISOString()}, and a later one would say less: leave out --timestamp-authority`,
    )
  const signed = signBundle(zip, privateKey)
  const stamped = authority === undefined ? null : await stampedBy(authority, signed, trust)
  // Whatever the authority does, the signature is kept.
  writeZip(file, stamped === null || typeof stamped === 'string' ? signed : stamped.zip)
  print(`signed by ${fingerprintOf(privateKey)}`)
  if (typeof stamped === 'string') {
    say(`plantstore: no time stamp by ${authority?.host}: ${stamped} (sign again to ask again)`)
    return exitCodes.inconclusive
  }
  if (stamped !== null) print(safeText(timeStampLine(stamped.timeStamp)))
  return exitCodes.conformant
}

export const runVerifyBundle = async (file: string, flags: VerifyBundleFlags): Promise<number> => {
  const { key } = flags
  const publicKey = key === undefined ? null : keyFrom(key, createPublicKey, 'public')
  const trust = timeTrustOf(flags)
  const zip = readZip(file)
  const inspected = await inspectWithTime(zip, publicKey, trust)
  const inspection =
    inspected.problems.length > 0 ? inspected : await withVerdicts(inspected, readBundle(zip))
  for (const line of inspectionLines(file, inspection, publicKey)) print(safeText(line))
  return inspection.problems.length === 0 ? exitCodes.conformant : exitCodes.nonconformant
}

/** Judges the recorded responses again, by the contract in the bundle: whoever can make up a manifest can make up a verdict. */
const withVerdicts = async (inspection: Inspected, { ledger, document }: BundledRun): Promise<Inspected> => {
  const note = (text: string): Inspected => ({ ...inspection, notes: [...inspection.notes, text] })
  if (document === null) return note('the responses were not judged again, as the contract is missing')
  if (ledger.start.product.version !== product.version)
    return note(
      `the responses were not judged again: version ${ledger.start.product.version} has judged them, and this is ${product.version}`,
    )
  try {
    const problems = rejudge(await contractFrom(document), ledger)
    return problems.length > 0
      ? { ...inspection, problems }
      : note('the recorded responses were judged again, with the same result')
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return { ...inspection, problems: [`contract.json is no contract: ${error.message.split('\n')[0]}`] }
  }
}

const inspectionLines = (file: string, inspection: Inspected, key: string | null): readonly string[] => {
  const { manifest, signatures, problems, notes, timeStamp } = inspection
  const about =
    manifest === null
      ? [file]
      : [`${file}: ${bundleTitle(manifest)}`, ...bundleFacts(manifest).map(fact => `  ${fact}`)]
  const intact = manifest === null ? '' : `INTACT   ${manifest.files.length} files match the manifest`
  return [
    ...about,
    ...problems.map(problem => `  ${problem}`),
    ...notes.map(note => `  note: ${note}`),
    ...(problems.length > 0
      ? ['NOT INTACT']
      : [
          intact,
          ...(signatures.length === 0 ? ['  not signed'] : signatureLines(inspection, key)),
          ...(timeStamp === null ? [] : [`  ${timeStampLine(timeStamp)}`]),
        ]),
  ]
}

const signatureLines = ({ signatures }: Inspected, key: string | null): readonly string[] => {
  const expected = key === null ? null : fingerprintOf(key)
  return signatures.map(({ fingerprint }) => {
    if (fingerprint === expected) return `  signed by ${fingerprint}, the given key`
    return `  signed by ${fingerprint}: check whose key it is with --key`
  })
}

const keyFrom = (file: string, read: (pem: string) => KeyObject, kind: 'private' | 'public'): string =>
  readPem('--key', file, pem => {
    if (!isKey(pem, read, kind))
      throw new Error(`has no Ed25519 ${kind} key (plantstore bundle keygen makes a pair)`)
  })

const isKey = (pem: string, read: (pem: string) => KeyObject, kind: 'private' | 'public'): boolean => {
  // Node derives a public key from a private one, but nobody should pass that on.
  if (kind === 'public' && /PRIVATE/.test(pem)) return false
  try {
    return read(pem).asymmetricKeyType === 'ed25519'
  } catch {
    return false
  }
}

const readZip = (file: string): Uint8Array => {
  try {
    if (statSync(file).size > mostBytes) throw new UsageError(`${file} is larger than any bundle`)
    return readFileSync(file)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}): give a bundle`)
  }
}

const keyExists = (file: string): UsageError =>
  new UsageError(`${file} exists, and keys are never overwritten: choose another name with --out`)

const writeKey = (file: string, pem: string | Buffer, mode: number): void => {
  try {
    writeFileSync(file, pem, { mode, flag: 'wx' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw keyExists(file)
    throw new UsageError(`${file} cannot be written (${code}): choose another name with --out`)
  }
}

const writeZip = (file: string, zip: Uint8Array): void => {
  try {
    writeWhole(file, zip)
  } catch (error) {
    throw new UsageError(
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code}): choose another`,
    )
  }
  print(`written: ${file}`)
}
