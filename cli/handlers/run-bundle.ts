import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import {
  builtIn,
  fingerprintOf,
  type Inspection,
  inspectBundle,
  makeBundle,
  mostBytes,
  safeText,
  signBundle,
} from '../../reports/index.ts'
import { foldLedger, type Ledger } from '../../spec/index.ts'
import { settingsOfLedger } from '../config/settings.ts'
import { readPem } from '../inputs/access.ts'
import { contractOf } from '../inputs/contract.ts'
import { ledgerBytes } from '../inputs/ledger.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import { print, say } from '../outputs/terminal.ts'
import { exitCodes, UsageError } from '../process/exit.ts'
import { product } from '../process/product.ts'
import { surroundings } from '../process/runtime-info.ts'

export type MakeFlags = SpecFlags & { readonly out: string }
export type KeygenFlags = { readonly out: string }
export type SignFlags = { readonly key: string }
export type VerifyBundleFlags = { readonly key?: string }

export const runMake = async (file: string, flags: MakeFlags): Promise<number> => {
  const { bytes, events } = ledgerBytes(file)
  const ledger = foldLedger(events)
  const document = await documentOf(ledger, flags)
  const found = typeof document === 'string'
  const zip = makeBundle({
    ledger: bytes,
    document: found ? document : null,
    configuration: settingsOfLedger(ledger),
    environment: surroundings('the making of the bundle'),
    missing: found ? [] : [{ name: 'contract.json', reason: document.reason }],
  })
  writeZip(flags.out, zip)
  if (!found) say(`contract.json is left out: ${document.reason}`)
  return exitCodes.conforms
}

// The contract that was tested, where it can still be had.
const documentOf = async (
  { start }: Ledger,
  { spec, networkRefs }: SpecFlags,
): Promise<string | { readonly reason: string }> => {
  const from = spec ?? (start.contract.source === builtIn ? undefined : start.contract.source)
  const name = from ?? 'the plant store’s own document'
  try {
    const contract = await contractOf({
      ...(from === undefined ? {} : { spec: from }),
      ...(networkRefs === undefined ? {} : { networkRefs }),
    })
    if (contract.digest === start.contract.digest) return JSON.stringify(contract.document)
    return { reason: `${name} is not the contract that was tested any more: name that one with --spec` }
  } catch (error) {
    return { reason: `${name} cannot be read (${(error as Error).message.split('\n')[0]})` }
  }
}

export const runKeygen = ({ out }: KeygenFlags): number => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const names = { private: `${out}.private.pem`, public: `${out}.public.pem` }
  // No private key is left behind whose public one could not be written.
  for (const file of Object.values(names)) if (existsSync(file)) throw keyIsThere(file)
  writeKey(names.private, privateKey.export({ format: 'pem', type: 'pkcs8' }), 0o600)
  const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString()
  writeKey(names.public, pem, 0o644)
  print(`written: ${names.private} (keep it to yourself)`)
  print(`written: ${names.public} (for those who check)`)
  print(`fingerprint: ${fingerprintOf(pem)}`)
  return exitCodes.conforms
}

export const runSign = (file: string, { key }: SignFlags): number => {
  const privateKey = keyFrom(key, createPrivateKey, 'private')
  const zip = readZip(file)
  const { problems } = inspectBundle(zip, { key: null, version: product.version })
  if (problems.length > 0) {
    for (const problem of problems) print(safeText(problem))
    say(`plantstore: ${file} is not as it was made, and was not signed`)
    return exitCodes.broken
  }
  writeZip(file, signBundle(zip, privateKey))
  print(`signed by ${fingerprintOf(privateKey)}`)
  return exitCodes.conforms
}

export const runVerifyBundle = (file: string, { key }: VerifyBundleFlags): number => {
  const publicKey = key === undefined ? null : keyFrom(key, createPublicKey, 'public')
  const found = inspectBundle(readZip(file), { key: publicKey, version: product.version })
  for (const line of told(file, found, publicKey)) print(safeText(line))
  return found.problems.length === 0 ? exitCodes.conforms : exitCodes.broken
}

const told = (file: string, found: Inspection, key: string | null): readonly string[] => {
  const { manifest, signatures, problems, notes } = found
  const about =
    manifest === null
      ? [file]
      : [
          `${file}: ${manifest.contract.title} ${manifest.contract.version}, ${manifest.run.verdict}, ${manifest.run.target}, ${manifest.run.at}, seed ${manifest.run.seed}`,
        ]
  const intact = manifest === null ? '' : `INTACT   ${manifest.files.length} files are as the manifest says`
  return [
    ...about,
    ...problems.map(problem => `  ${problem}`),
    ...notes.map(note => `  note: ${note}`),
    ...(problems.length > 0
      ? ['NOT INTACT']
      : [intact, ...(signatures.length === 0 ? ['  not signed'] : signedLines(found, key))]),
  ]
}

const signedLines = ({ signatures }: Inspection, key: string | null): readonly string[] => {
  const own = key === null ? null : fingerprintOf(key)
  return signatures.map(({ fingerprint }) => {
    if (fingerprint === own) return `  signed by ${fingerprint}, the key that was given`
    return `  signed by ${fingerprint}: whose key that is, only a public key with --key can tell`
  })
}

const keyFrom = (file: string, read: (pem: string) => KeyObject, kind: 'private' | 'public'): string =>
  readPem('--key', file, pem => {
    if (!isKey(pem, read, kind))
      throw new Error(`holds no Ed25519 ${kind} key: \`plantstore bundle keygen\` makes a pair`)
  })

const isKey = (pem: string, read: (pem: string) => KeyObject, kind: 'private' | 'public'): boolean => {
  // A public key can be made of a private one: nobody is to be asked to hand that out.
  if (kind === 'public' && /PRIVATE/.test(pem)) return false
  try {
    return read(pem).asymmetricKeyType === 'ed25519'
  } catch {
    return false
  }
}

const readZip = (file: string): Uint8Array => {
  try {
    if (statSync(file).size > mostBytes) throw new UsageError(`${file} is larger than any bundle is`)
    return readFileSync(file)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}): give a bundle`)
  }
}

const keyIsThere = (file: string): UsageError =>
  new UsageError(`${file} is there already, and keys are never written over: choose another name with --out`)

const writeKey = (file: string, pem: string | Buffer, mode: number): void => {
  try {
    writeFileSync(file, pem, { mode, flag: 'wx' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw keyIsThere(file)
    throw new UsageError(`${file} cannot be written (${code}): choose another name with --out`)
  }
}

const writeZip = (file: string, zip: Uint8Array): void => {
  try {
    // Beside it first: a bundle that is signed is lost at no moment.
    writeFileSync(`${file}.part`, zip)
    renameSync(`${file}.part`, file)
  } catch (error) {
    throw new UsageError(
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code}): choose another`,
    )
  }
  print(`written: ${file}`)
}
