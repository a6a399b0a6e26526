import { isDeepStrictEqual } from 'node:util'
import { contradictionsIn, foldLedger, type Ledger } from '../../spec/index.ts'
import { BundleError } from '../errors.ts'
import { reports } from '../formats/report.ts'
import { readLedger } from '../ledger/ndjson.ts'
import { conclusions } from '../view/conclusion.ts'
import { summarise } from '../view/summary.ts'
import {
  addedNames,
  contractName,
  ledgerName,
  manifestName,
  reportFiles,
  signatureName,
  withFile,
} from './contents.ts'
import { factsOf, type Manifest, readManifest, sha256 } from './manifest.ts'
import { fileAt, pack, packing, unpack } from './pack.ts'
import {
  fingerprintOf,
  isSignatureValid,
  readSignatures,
  type Signature,
  signManifest,
  writeSignatures,
} from './signature.ts'

export type Inspection = {
  /** Null if there is none that can be read. */
  readonly manifest: Manifest | null
  readonly signatures: readonly Signature[]
  /** What was changed, added or removed, one line each, with the name of the file; empty if the bundle is intact. */
  readonly problems: readonly string[]
  /** What could not be checked, and why. */
  readonly notes: readonly string[]
}

export type InspectOptions = {
  /** PEM of the Ed25519 public key that must have signed the bundle; null if none has to. */
  readonly key: string | null
  /** The version of the product that inspects. */
  readonly version: string
}

/** Checks a bundle in memory, offline; it writes nothing to disk and never throws for what a bundle contains. */
export const inspectBundle = (zip: Uint8Array, { key, version }: InspectOptions): Inspection => {
  let files: ReadonlyMap<string, Uint8Array>
  try {
    files = unpack(zip)
  } catch (error) {
    if (error instanceof BundleError) return nothing(`the zip: ${error.message}`)
    throw error
  }
  const manifestBytes = files.get(manifestName)
  if (manifestBytes === undefined)
    return nothing(`${manifestName} is missing: it was removed, or this is not a bundle`)
  const manifest = readManifest(new TextDecoder().decode(manifestBytes))
  if (typeof manifest === 'string') return nothing(`${manifestName} was changed: ${manifest}`)

  const signed = files.get(signatureName)
  const read = signed === undefined ? [] : readSignatures(new TextDecoder().decode(signed))
  const signatures = read ?? []
  const changed = [
    ...differences(manifest, files),
    ...(read === null ? [`${signatureName} was changed: it is not written as plantstore writes it`] : []),
    ...signatures
      .filter(signature => !isSignatureValid(signature, manifestBytes))
      .map(
        ({ fingerprint }) =>
          `${signatureName} is not valid: ${manifestName} or the signature by ${fingerprint} was changed`,
      ),
  ]
  const contradictions = changed.length > 0 ? [] : recompute(manifest, files, version)
  const problems = [...changed, ...contradictions, ...(key === null ? [] : missingSignature(key, signatures))]
  return {
    manifest,
    signatures,
    problems: problems.length > 0 ? problems : repacked(zip, manifest, files),
    notes: notesOf(manifest, version),
  }
}

/** Adds a signature by a key in PEM, replacing one by the same key; no other file changes. The bundle must be intact. */
export const signBundle = (zip: Uint8Array, privateKey: string): Uint8Array => {
  const files = unpack(zip)
  const manifest = files.get(manifestName) ?? new Uint8Array()
  const added = signManifest(manifest, privateKey)
  const before = readSignatures(new TextDecoder().decode(files.get(signatureName))) ?? []
  const others = before.filter(({ fingerprint }) => fingerprint !== added.fingerprint)
  const bytes = new TextEncoder().encode(writeSignatures([...others, added]))
  return withFile(zip, signatureName, bytes)
}

const nothing = (problem: string): Inspection => ({
  manifest: null,
  signatures: [],
  problems: [problem],
  notes: [],
})

const differences = (manifest: Manifest, files: ReadonlyMap<string, Uint8Array>): readonly string[] => {
  const listed = new Set([manifestName, ...addedNames, ...manifest.files.map(({ name }) => name)])
  return [
    ...manifest.files.flatMap(({ name, bytes, sha256: digest }) => {
      const found = files.get(name)
      if (found === undefined) return [`${name} was removed`]
      if (found.length !== bytes) return [`${name} was changed: ${bytes} bytes are now ${found.length}`]
      return sha256(found) === digest ? [] : [`${name} was changed: its SHA-256 differs`]
    }),
    ...[...files.keys()].filter(name => !listed.has(name)).map(name => `${name} was added`),
  ]
}

const missingSignature = (key: string, signatures: readonly Signature[]): readonly string[] => {
  const required = fingerprintOf(key)
  if (signatures.some(({ fingerprint }) => fingerprint === required)) return []
  if (signatures.length === 0) return [`${signatureName} is missing: nobody has signed this bundle`]
  const others = signatures.map(({ fingerprint }) => fingerprint).join(', ')
  return [`${signatureName} is by another key: ${others} instead of ${required}`]
}

// Packing the files once more compares whatever a zip holds beside them: dates, order, bytes in between.
const repacked = (
  zip: Uint8Array,
  manifest: Manifest,
  files: ReadonlyMap<string, Uint8Array>,
): readonly string[] => {
  if (manifest.packing !== packing) return []
  const names = new Set([manifestName, ...manifest.files.map(({ name }) => name), ...addedNames])
  const again = pack([...names].map(name => ({ name, bytes: files.get(name) })).filter(isPresent))
  if (Buffer.compare(zip, again) === 0) return []
  const difference = again.findIndex((byte, index) => byte !== zip[index])
  const at = difference === -1 ? again.length : difference
  const place = fileAt(again, at) ?? 'the directory at its end'
  return [`the zip was changed around its files, or packed again, at ${place} (byte ${at})`]
}

const isPresent = <T>(file: {
  readonly name: string
  readonly bytes: T | undefined
}): file is { name: string; bytes: T } => file.bytes !== undefined

const notesOf = (manifest: Manifest, version: string): readonly string[] => [
  ...manifest.missing.map(({ name, reason }) => `${name} was never part of it: ${reason}`),
  ...(manifest.product.version === version
    ? []
    : [
        `its reports were not written again to compare: they are by version ${manifest.product.version}, and this is ${version}`,
      ]),
  ...(manifest.packing === packing
    ? []
    : [`only its files were compared, not the zip around them: it was packed by ${manifest.packing}`]),
]

/**
 * Computes again what follows from the ledger and names every file that contradicts it, one line each. This finds a
 * bundle whose manifest was rewritten after a change, even without a signature. Reports are written again if the product
 * is of the version that wrote them; of other versions only the JSON report is read.
 */
const recompute = (
  manifest: Manifest,
  files: ReadonlyMap<string, Uint8Array>,
  version: string,
): readonly string[] => {
  const bytes = files.get(ledgerName)
  if (bytes === undefined) return [`${ledgerName} is missing: a bundle cannot be without it`]
  let ledger: Ledger
  try {
    ledger = foldLedger(readLedger(new TextDecoder().decode(bytes)))
  } catch (error) {
    // Nothing in a bundle may make the check itself fail, such as a text that is too long for a string.
    return [`${ledgerName} is not the ledger of a run: ${(error as Error).message}`]
  }
  const problems = Object.entries(factsOf(ledger)).flatMap(([part, facts]) =>
    Object.entries(facts).flatMap(([name, fact]) => {
      const claim = (manifest[part as 'run'] as Readonly<Record<string, unknown>>)[name]
      return isDeepStrictEqual(claim, fact)
        ? []
        : [
            `manifest.json says ${JSON.stringify(claim)} for ${part} ${name}, but ${ledgerName} says ${JSON.stringify(fact)}`,
          ]
    }),
  )
  problems.push(...contradictionsIn(ledger).map(text => `${ledgerName} contradicts itself: ${text}`))
  const contract = files.get(contractName)
  if (contract !== undefined && sha256(contract) !== ledger.start.contract.digest)
    problems.push(`${contractName} is not the contract that was tested: ${ledgerName} records another digest`)
  const contradicting =
    ledger.start.product.version === version
      ? differentReports(ledger, bytes, files)
      : differentJson(ledger, files)
  return [
    ...problems,
    ...contradicting.map(
      name => `${name} is not what version ${ledger.start.product.version} writes from ${ledgerName}`,
    ),
  ]
}

const differentReports = (
  ledger: Ledger,
  bytes: Uint8Array,
  files: ReadonlyMap<string, Uint8Array>,
): readonly string[] =>
  reportFiles(ledger, bytes)
    .filter(({ name, bytes: written }) => Buffer.compare(files.get(name) ?? written, written) !== 0)
    .map(({ name }) => name)

// Another version may word a report differently, but its JSON report has these two members at the same place.
const differentJson = (ledger: Ledger, files: ReadonlyMap<string, Uint8Array>): readonly string[] => {
  const name = `reports/${reports.json.file}`
  const file = files.get(name)
  if (file === undefined) return []
  try {
    const { verdict, run } = JSON.parse(new TextDecoder().decode(file)) as ReportFacts
    const expected = conclusions[summarise(ledger).conclusion].label
    return verdict === expected && run?.digest === factsOf(ledger).run.requestDigest ? [] : [name]
  } catch {
    return [name]
  }
}

type ReportFacts = { readonly verdict?: unknown; readonly run?: { readonly digest?: unknown } }
