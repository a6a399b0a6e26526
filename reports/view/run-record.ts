import { type Ledger, type ServerCertificate, seedOfNonce } from '../../spec/index.ts'

/** What a start event records of a product and its test, or a manifest, which has null for what was not said. */
type Given = {
  readonly target: string
  readonly testedProduct?: Readonly<Record<string, string>>
  readonly runBy?: string | null
  readonly nonce?: string | null
}

type Pairs = readonly (readonly [name: string, value: string])[]

/** `Plant Store 1.4.2`: the product under test; null if the run names none, or tested none. */
export const productName = (run: Given): string | null => {
  const { name, version } = isOfMock(run) ? {} : (run.testedProduct ?? {})
  if (name === undefined) return version === undefined ? null : `version ${version}`
  return version === undefined ? name : `${name} ${version}`
}

/** `Plant Store 1.4.2, tested against Plant Store 1.0.0`; the contract alone if the run names no product. */
export const testedName = (
  run: Given & { readonly contract: { readonly title: string; readonly version: string } },
): string => {
  const product = productName(run)
  const contract = `${run.contract.title} ${run.contract.version}`
  return product === null ? contract : `${product}, tested against ${contract}`
}

/** Whether a run tested the mock that the command starts by itself, which has a name instead of a URL. */
export const isOfMock = ({ target }: { readonly target: string }): boolean => target === 'embedded-mock'

export const mockText = 'the server was the embedded mock of plantstore, made from the contract itself.'

/** What those who ran the tests say of the product, of themselves, and for whom, as names and values. */
export const givenPairs = ({ testedProduct = {}, runBy = null, nonce = null }: Given): Pairs => [
  ...Object.entries(testedProduct).map(([key, value]) => [`Product ${key}`, value] as const),
  ...(runBy === null ? [] : [['Run by', runBy] as const]),
  ...(nonce === null ? [] : [['Nonce', nonce] as const]),
]

/** `4242`, and whether it follows from the nonce, if there is one. */
export const seedText = ({ seed, nonce = null }: Given & { readonly seed: number }): string => {
  if (nonce === null) return String(seed)
  return seedOfNonce(nonce) === seed
    ? `${seed}, derived from the nonce`
    : `${seed}, chosen by those who ran the tests: not derived from the nonce`
}

/** `SHA-256 9f…; subject CN=staging.example.test; issuer …; valid from … to …` */
export const certificateText = ({
  subject,
  names,
  issuer,
  from,
  to,
  sha256,
  verified,
}: ServerCertificate): string =>
  [
    `SHA-256 ${sha256}`,
    `subject ${subject === '' ? '(none)' : subject}`,
    ...(names === '' ? [] : [`names ${names}`]),
    `issuer ${issuer}`,
    `valid from ${from} to ${to}`,
    ...(verified ? [] : ['not verified']),
  ].join('; ')

/** The certificates that the server showed, as names and values; none without TLS, or if the run was cut off. */
export const certificatePairs = ({ end }: Ledger): Pairs =>
  (end?.certificates ?? []).map((certificate, index, { length }) => [
    length === 1 ? 'Server certificate' : `Server certificate ${index + 1} of ${length}`,
    certificateText(certificate),
  ])
