/** Stores with two or three faults: each fault is told by its own cause, and nothing else is. */
import { expect, test } from 'vitest'
import { createPlanCache, verify } from '../../conformance/index.ts'
import { loadContract, plantStoreDocument } from '../../spec/index.ts'
import { brokenServers, startServer } from '../broken-servers/index.ts'
import type { Parts } from '../broken-servers/store/model.ts'
import { lawfulParts } from '../broken-servers/store/store.ts'

/** Stores with one fault that hides no other one, and the cause by which a run tells it. */
const table: readonly (readonly [store: string, cause: string])[] = [
  ['takes-missing-header', 'accepted a request without credentials'],
  ['takes-bare-token', 'accepted a request with the token but no scheme'],
  ['takes-query-token', 'accepted a request with the token in the query instead of its place'],
  ['takes-access-token-cookie', 'accepted a request with the token in an undeclared cookie'],
  ['rejects-lower-case-scheme', 'rejected a request with the scheme in lower case (`bearer`)'],
  ['takes-test-token', 'accepted a request with a placeholder instead of the token'],
  ['trusts-real-ip', 'accepted a request without credentials from a client that claims to be trusted'],
  [
    'has-a-debug-mode',
    'accepted a request without credentials but with a parameter that claims to waive them',
  ],
  ['takes-null-name', 'accepted null in place of other types'],
  ['takes-id-in-quotes', 'accepted values of other types'],
  ['takes-id-above', 'accepted numbers outside of their range'],
  ['takes-missing-name', 'accepted requests without what is required'],
  ['takes-single-quotes', 'accepted malformed JSON'],
  ['crashes-on-null-tag', 'answered 500 to null in place of other types'],
  ['crashes-on-object-id', 'answered 500 to values of other types'],
  ['crashes-without-name', 'answered 500 to requests without what is required'],
  ['crashes-on-truncated-json', 'answered 500 to malformed JSON'],
  ['takes-text', 'accepted bodies of other media types'],
  ['resets-on-deep-nesting', 'closed the connection on malformed JSON'],
  ['rejects-charset', 'rejected valid requests: \u00abthe body is not application/json\u00bb'],
  ['crashes-on-percent', 'answered 500 to unusual texts'],
  ['crashes-on-long-tag', 'answered 500 to long texts'],
  ['blocks-markup', 'answered 403 to unusual texts'],
  ['rejects-percent', 'rejected unusual texts'],
  ['wants-tag-last', 'rejected a body with its properties in another order'],
  ['crashes-on-escaped-names', 'answered 500 to a body with \\u escapes in its property names'],
  ['rejects-chunks', 'rejected a body sent in chunks'],
  ['rejects-browsers', 'rejected a request with the headers of a browser'],
  ['limits-headers', 'rejected a request with 50 more headers'],
  ['plant-with-null-tag-always', 'answered with null in place of other types'],
  ['plant-with-number-name', 'answered with another type as `name`'],
  ['error-is-an-array', 'answered with another type as `error`'],
  ['plant-without-name', 'answered without properties that are required'],
  ['writes-name-twice', 'answered with bodies that have a property twice'],
  ['error-above-int32', 'answered with values that are not of their `format`'],
  ['fails-in-turkish', 'answered 500 to a request for another language'],
  ['crashes-on-basic', 'answered 500 to a request with the token in base64 under the scheme `Basic`'],
]

const count = 90

/** The same numbers each time: which faults are mixed is part of the test. */
const createRandom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Fault = { readonly store: string; readonly cause: string; readonly parts: Partial<Parts> }

const faults = table.map(([store, cause]): Fault => {
  const server = brokenServers.find(({ name }) => name === store)
  if (server === undefined) throw new Error(`there is no store ${store}`)
  return { store, cause, parts: server.parts() }
})

const checks = ['authenticate', 'media', 'id', 'name', 'tag'] as const
const isCheck = (name: string): name is (typeof checks)[number] => checks.some(check => check === name)

/** Both parts, if what one of them does can be told from what a lawful store does; null if not. */
const both = (name: string, one: Partial<Parts>, other: Partial<Parts>): Partial<Parts> | null => {
  if (name === 'respond')
    return {
      respond: async (response, exchange) => {
        const first = await one.respond?.(response, exchange)
        return first === response ? other.respond?.(response, exchange) : first
      },
    }
  if (!isCheck(name)) return null
  const [first, second, lawful] = [one[name], other[name], lawfulParts[name]] as ((
    value: unknown,
  ) => boolean)[]
  return {
    [name]: (value: unknown) => {
      const given = first?.(value) ?? false
      return given === lawful?.(value) ? (second?.(value) ?? false) : given
    },
  }
}

const joined = (one: Partial<Parts>, other: Partial<Parts>): Partial<Parts> | null => {
  const shared = Object.keys(other).filter(name => name in one)
  const parts = shared.map(name => both(name, one, other))
  return parts.includes(null) ? null : Object.assign({ ...one, ...other }, ...parts)
}

const mixed = (members: readonly Fault[]): Partial<Parts> | null =>
  members.reduce<Partial<Parts> | null>((sum, { parts }) => (sum === null ? null : joined(sum, parts)), {})

const mixtures = (): readonly (readonly Fault[])[] => {
  const random = createRandom(20_261_127)
  const all: (readonly Fault[])[] = []
  while (all.length < count) {
    const members = Array.from(
      { length: all.length % 3 === 2 ? 3 : 2 },
      () => faults[random(faults.length)] as Fault,
    )
    const isTold = new Set(members.map(({ cause }) => cause)).size === members.length
    if (isTold && mixed(members) !== null) all.push(members)
  }
  return all
}

const contract = await loadContract({ from: plantStoreDocument.pathname })
const planCache = createPlanCache()

const causesOf = async (parts: Partial<Parts>): Promise<readonly string[]> => {
  const { url, token, close } = await startServer({
    name: 'mixture',
    about: 'Several faults.',
    parts: () => parts,
  })
  try {
    const ledger = await verify({
      ...{ target: url, token, contract, planCache, seed: 7, cases: 1500 },
      ...{ strict: true, timeoutMs: 3000, sustained: 0 },
    })
    return [...new Set(ledger.findings.map(({ cause }) => cause?.title ?? ''))].sort()
  } finally {
    await close()
  }
}

for (const members of mixtures())
  test.concurrent(members.map(({ store }) => store).join(' and '), async () => {
    const parts = mixed(members)
    expect(await causesOf(parts ?? {})).toEqual(members.map(({ cause }) => cause).sort())
  }, 120_000)
