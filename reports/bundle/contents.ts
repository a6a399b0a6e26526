import { foldLedger, type Ledger } from '../../spec/index.ts'
import { reports } from '../formats/report.ts'
import { readLedger } from '../ledger/ndjson.ts'
import { type BundleFile, type Missing, manifestOf, sha256, writeManifest } from './manifest.ts'
import { pack, unpack } from './pack.ts'

/** One setting of a run, and where its value came from: an argument, a flag, the environment, a file, the default. */
export type Setting = { readonly name: string; readonly value: unknown; readonly origin: string }

/** The machine that a run took place on, or that its bundle was made on later. */
export type Environment = {
  readonly of: 'the run' | 'the making of the bundle'
  readonly node: string
  readonly platform: string
  readonly release: string
  readonly arch: string
  /** The versions of the product's packages, by name. */
  readonly packages: Readonly<Record<string, string>>
}

export type BundleParts = {
  /** The bytes of `ledger.ndjson`. */
  readonly ledger: Uint8Array
  /** The JSON text of the bundled document, whose SHA-256 is the contract's digest; null if it is not available. */
  readonly document: string | null
  readonly configuration: readonly Setting[]
  readonly environment: Environment
  readonly missing: readonly Missing[]
}

export const manifestName = 'manifest.json'
export const signatureName = 'signature.json'
export const timeStampName = 'timestamp.tsr'
export const ledgerName = 'ledger.ndjson'
export const contractName = 'contract.json'

/** Packs the evidence of a run into one zip. The same parts give the same bytes. Throws BundleError if it is too large. */
export const makeBundle = (parts: BundleParts): Uint8Array => {
  const ledger = foldLedger(readLedger(new TextDecoder().decode(parts.ledger)))
  const files: readonly BundleFile[] = [
    file('READ-ME.txt', 'how to check this bundle', readMe),
    ...(parts.document === null
      ? []
      : [file(contractName, 'the contract, bundled into one document', parts.document)]),
    { name: ledgerName, about: 'every event of the run', bytes: parts.ledger },
    ...reportFiles(ledger, parts.ledger),
    file('configuration.json', 'every setting, and where it came from', pretty(parts.configuration)),
    file('environment.json', 'the machine and the versions of all packages', pretty(parts.environment)),
    file('waivers.json', 'failures that were accepted for a time', pretty(ledger.start.waivers)),
  ]
  const manifest = file(manifestName, '', writeManifest(manifestOf(ledger, files, parts.missing)))
  return pack([manifest, ...files])
}

/** The run in every format that is one file. `bytes` are those of the ledger's file. */
export const reportFiles = (ledger: Ledger, bytes: Uint8Array): readonly BundleFile[] => {
  const digest = sha256(bytes)
  return Object.entries(reports).map(([name, format]) =>
    file(`reports/${format.file}`, `the run in the format ${name}`, format.write(ledger, digest)),
  )
}

/** The files that are in no manifest, in their order at the end of a bundle. */
export const addedNames = [signatureName, timeStampName]

/** Adds one of `addedNames` to a bundle, or replaces it; no other file changes. */
export const withFile = (zip: Uint8Array, name: string, bytes: Uint8Array): Uint8Array => {
  const files = new Map(unpack(zip)).set(name, bytes)
  const names = [...files.keys()].filter(each => !addedNames.includes(each))
  return pack(
    [...names, ...addedNames].flatMap(each => {
      const content = files.get(each)
      return content === undefined ? [] : [{ name: each, bytes: content }]
    }),
  )
}

const file = (name: string, about: string, text: string): BundleFile => ({
  name,
  about,
  bytes: new TextEncoder().encode(text),
})

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** What someone who opens a bundle without knowing about it reads first. */
const readMe = `This is the evidence of one contract-test run. It is a test record, not a certification.

  reports/report.html   the results: open it in a browser, it needs no network
  reports/record.html   the results on a few pages, to be printed
  ledger.ndjson         every event of the run; all reports follow from it
  contract.json         the contract that was tested; its SHA-256 is the contract digest
  configuration.json    every setting, and where it came from
  environment.json      the machine and the versions of all packages
  waivers.json          failures that were accepted for a time
  manifest.json         SHA-256 and size of every file
  signature.json        who signed the manifest; only present if someone did
  timestamp.tsr         when the manifest existed, by a time-stamping authority (RFC 3161); only present if one was asked

To check offline that nothing was changed (take public.pem from whoever signed it, not from here):

  plantstore bundle verify FILE.zip --key public.pem

Or compare one file at a time: sha256sum FILE must match manifest.json.
`
