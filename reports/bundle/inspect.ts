import { manifestName, signatureName } from './contents.ts'
import { type Manifest, readManifest, sha256 } from './manifest.ts'
import { BundleError, fileAt, pack, packing, unpack } from './pack.ts'
import { recheck } from './recheck.ts'
import {
  fingerprintOf,
  holds,
  readSignatures,
  type Signature,
  signManifest,
  writeSignatures,
} from './signature.ts'

/** What was found in a bundle. */
export type Inspection = {
  /** Null where there is none that can be read. */
  readonly manifest: Manifest | null
  readonly signatures: readonly Signature[]
  /** What was changed, added or removed, one line each, with the name of the file; none: it is as it was made. */
  readonly problems: readonly string[]
  /** What could not be looked at, and why. */
  readonly notes: readonly string[]
}

/** What a bundle is checked for. */
export type InspectOptions = {
  /** PEM of the Ed25519 public key that must have signed it; null: any, or none. */
  readonly key: string | null
  /** The version of the product that looks. */
  readonly version: string
}

/** Looks at a bundle in memory, offline; nothing of it is written to disk. Never throws for what is in it. */
export const inspectBundle = (zip: Uint8Array, { key, version }: InspectOptions): Inspection => {
  let files: ReadonlyMap<string, Uint8Array>
  try {
    files = unpack(zip)
  } catch (error) {
    if (error instanceof BundleError) return nothing(`the zip: ${error.message}`)
    throw error
  }
  const own = files.get(manifestName)
  if (own === undefined) return nothing(`${manifestName} is missing: this is no bundle, or it was taken out`)
  const manifest = readManifest(new TextDecoder().decode(own))
  if (typeof manifest === 'string') return nothing(`${manifestName} was changed: ${manifest}`)

  const signed = files.get(signatureName)
  const read = signed === undefined ? [] : readSignatures(new TextDecoder().decode(signed))
  const signatures = read ?? []
  const changed = [
    ...differences(manifest, files),
    ...(read === null ? [`${signatureName} was changed: it is not written as plantstore writes it`] : []),
    ...signatures
      .filter(signature => !holds(signature, own))
      .map(
        ({ fingerprint }) =>
          `${signatureName} does not hold: ${manifestName} or the signature by ${fingerprint} was changed`,
      ),
  ]
  const derived = changed.length > 0 ? [] : recheck(manifest, files, version)
  const problems = [...changed, ...derived, ...(key === null ? [] : notBy(key, signatures))]
  return {
    manifest,
    signatures,
    problems: problems.length > 0 ? problems : packedOtherwise(zip, manifest, files),
    notes: notesOf(manifest, version),
  }
}

/** Adds a signature by a key in PEM, in the place of one by the same key; no other file changes. The bundle must be sound. */
export const signBundle = (zip: Uint8Array, privateKey: string): Uint8Array => {
  const files = unpack(zip)
  const manifest = files.get(manifestName) ?? new Uint8Array()
  const added = signManifest(manifest, privateKey)
  const before = readSignatures(new TextDecoder().decode(files.get(signatureName))) ?? []
  const others = before.filter(({ fingerprint }) => fingerprint !== added.fingerprint)
  const bytes = new TextEncoder().encode(writeSignatures([...others, added]))
  const rest = [...files].filter(([name]) => name !== signatureName)
  return pack([...rest.map(([name, own]) => ({ name, bytes: own })), { name: signatureName, bytes }])
}

const nothing = (problem: string): Inspection => ({
  manifest: null,
  signatures: [],
  problems: [problem],
  notes: [],
})

const differences = (manifest: Manifest, files: ReadonlyMap<string, Uint8Array>): readonly string[] => {
  const listed = new Set([manifestName, signatureName, ...manifest.files.map(({ name }) => name)])
  return [
    ...manifest.files.flatMap(({ name, bytes, sha256: digest }) => {
      const found = files.get(name)
      if (found === undefined) return [`${name} was removed`]
      if (found.length !== bytes) return [`${name} was changed: ${bytes} bytes are now ${found.length}`]
      return sha256(found) === digest ? [] : [`${name} was changed: its SHA-256 is another one`]
    }),
    ...[...files.keys()].filter(name => !listed.has(name)).map(name => `${name} was added`),
  ]
}

const notBy = (key: string, signatures: readonly Signature[]): readonly string[] => {
  const wanted = fingerprintOf(key)
  if (signatures.some(({ fingerprint }) => fingerprint === wanted)) return []
  if (signatures.length === 0) return [`${signatureName} is missing: nobody has signed this bundle`]
  const others = signatures.map(({ fingerprint }) => fingerprint).join(', ')
  return [`${signatureName} is by another key: ${others}, and not ${wanted}`]
}

// What a zip says beside its files (dates, order, what stands between them) is compared by packing them once more.
const packedOtherwise = (
  zip: Uint8Array,
  manifest: Manifest,
  files: ReadonlyMap<string, Uint8Array>,
): readonly string[] => {
  if (manifest.packing !== packing) return []
  const names = new Set([manifestName, ...manifest.files.map(({ name }) => name), signatureName])
  const again = pack([...names].map(name => ({ name, bytes: files.get(name) })).filter(isThere))
  if (Buffer.compare(zip, again) === 0) return []
  const at = again.findIndex((byte, index) => byte !== zip[index])
  const where = fileAt(again, at === -1 ? again.length : at) ?? 'the directory at its end'
  return [
    `the zip was changed around its files, or packed anew, at ${where} (byte ${at === -1 ? again.length : at})`,
  ]
}

const isThere = <T>(file: {
  readonly name: string
  readonly bytes: T | undefined
}): file is { name: string; bytes: T } => file.bytes !== undefined

const notesOf = (manifest: Manifest, version: string): readonly string[] => [
  ...manifest.missing.map(({ name, because }) => `${name} was never in it: ${because}`),
  ...(manifest.product.version === version
    ? []
    : [
        `its reports were not told anew: they are by version ${manifest.product.version}, and this is ${version}`,
      ]),
  ...(manifest.packing === packing
    ? []
    : [`only its files were compared, not the zip around them: it was packed by ${manifest.packing}`]),
]
