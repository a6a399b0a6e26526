import { foldLedger, type Ledger } from '../../spec/index.ts'
import { certificate } from '../html/certificate.ts'
import { readLedger } from '../read-ledger.ts'
import { reports } from '../report.ts'
import { type BundleFile, type Missing, manifestOf, sha256, writeManifest } from './manifest.ts'
import { pack } from './pack.ts'
import { readMe } from './read-me.ts'

/** One setting of a run, and where its value came from: a flag, the environment, a file, the default. */
export type Setting = { readonly name: string; readonly value: unknown; readonly origin: string }

/** Where a run took place, or where its bundle was made afterwards. */
export type Environment = {
  readonly of: 'the run' | 'the making of the bundle'
  readonly node: string
  readonly platform: string
  readonly release: string
  readonly arch: string
  /** The packages that the product was made with, by name. */
  readonly packages: Readonly<Record<string, string>>
}

export type BundleParts = {
  /** The bytes of `ledger.ndjson`. */
  readonly ledger: Uint8Array
  /** The JSON text of the bundled document: the one whose SHA-256 is the digest of the contract. Null: not to be had. */
  readonly document: string | null
  readonly configuration: readonly Setting[]
  readonly environment: Environment
  readonly missing: readonly Missing[]
}

export const manifestName = 'manifest.json'
export const signatureName = 'signature.json'
export const ledgerName = 'ledger.ndjson'
export const contractName = 'contract.json'

/** Puts the evidence of a run into one zip. The same parts give the same bytes. Throws BundleError where it is too much. */
export const makeBundle = (parts: BundleParts): Uint8Array => {
  const ledger = foldLedger(readLedger(new TextDecoder().decode(parts.ledger)))
  const files: readonly BundleFile[] = [
    file('READ-ME.txt', 'how to check this bundle', readMe),
    ...(parts.document === null
      ? []
      : [file(contractName, 'the contract, bundled into one document', parts.document)]),
    { name: ledgerName, about: 'every event of the run', bytes: parts.ledger },
    ...toldFiles(ledger, parts.ledger),
    file('configuration.json', 'every setting, and where it came from', pretty(parts.configuration)),
    file('environment.json', 'where it ran, and with which packages', pretty(parts.environment)),
    file('waivers.json', 'broken promises that were accepted for a time', pretty(ledger.start.waivers)),
  ]
  const manifest = file(manifestName, '', writeManifest(manifestOf(ledger, files, parts.missing)))
  return pack([manifest, ...files])
}

/** All that follows from the ledger: every format of the reports, so that a new one is in it by itself. */
export const toldFiles = (ledger: Ledger, bytes: Uint8Array): readonly BundleFile[] => [
  ...Object.entries(reports)
    .filter(([name]) => name !== 'ndjson')
    .map(([name, format]) => file(`reports/${format.file}`, `the run told as ${name}`, format.write(ledger))),
  file('reports/certificate.html', 'the test record, to be printed', certificate(ledger, sha256(bytes))),
]

const file = (name: string, about: string, text: string): BundleFile => ({
  name,
  about,
  bytes: new TextEncoder().encode(text),
})

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
