import { BundleError } from '../errors.ts'
import { addedNames, manifestName, signatureName, withFile } from './contents.ts'
import { type Manifest, readManifest, sha256 } from './manifest.ts'
import { fileAt, pack, packing, unpack } from './pack.ts'
import { recompute } from './recompute.ts'
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
