/** A token may expire during a run. That is no fault of the server, and hides none. */
import { expect, test } from 'vitest'
import { type TokenSource, type VerifyOptions, verify } from '../../../conformance/index.ts'
import type { Ledger } from '../../../spec/index.ts'
import type { Exchange, Parts } from '../../broken-servers/store/model.ts'
import { during } from '../../cli/command.ts'
import { echoingStore, storeWith } from '../../cli/servers.ts'
import { conclusionSoFar } from '../../conclusion-so-far.ts'
import { contracts } from '../../spec/contracts.ts'

/** The token of a request; empty if it has not exactly one. */
const bearer = ({ request }: Exchange): string => {
  const [header = '', ...others] = request.headersDistinct.authorization ?? []
  return others.length > 0 ? '' : (/^bearer +(\S+)$/i.exec(header)?.[1] ?? '')
}

/** Issues tokens, of which the last one is right for so many requests. */
const issuer = (uses: number) => {
  const issued: string[] = []
  let left = 0
  let asked = 0
  return {
    issued,
    asked: () => asked,
    source: (() => {
      asked += 1
      if (left <= 0 || issued.length === 0) {
        issued.push(`Issued-${issued.length}-q7Xw${issued.length}Zk`)
        left = uses
      }
      return issued.at(-1) as string
    }) satisfies TokenSource,
    accepts: (exchange: Exchange): boolean => bearer(exchange) === issued.at(-1) && left-- > 0,
    hasExpired: (exchange: Exchange): boolean => issued.includes(bearer(exchange)),
  }
}

const run = (
  parts: Partial<Parts>,
  token: VerifyOptions['token'],
  options: Partial<VerifyOptions> = {},
): Promise<Ledger> =>
  during(storeWith(parts), ({ url }) =>
    verify({ target: url, contract: contracts.plantStore, token, seed: 1, cases: 500, ...options }),
  )

const renewalNote = /^the token was renewed (\d+) times?$/
const renewalsIn = ({ notes }: Ledger): number =>
  Number(notes.map(({ message }) => renewalNote.exec(message)?.[1]).find(Boolean) ?? 0)

test('a token that expires every 250 requests: nothing is judged that was answered to an expired one', async () => {
  const tokens = issuer(250)
  const ledger = await run(
    {
      authenticate: tokens.accepts,
      failure: (cause, exchange) => ({
        error: 1,
        message: cause === 'credentials' && tokens.hasExpired(exchange) ? 'it has expired' : 'no',
      }),
    },
    async () => {
      await new Promise(resolve => setTimeout(resolve, 10))
      return tokens.source()
    },
  )
  expect(ledger.findings).toEqual([])
  expect(ledger.end).toMatchObject({ stopped: 'done', cases: 500 })
  expect(conclusionSoFar(ledger)).toBe('conformant')
  expect(tokens.issued.length).toBeGreaterThan(2)
  expect(renewalsIn(ledger)).toBe(tokens.issued.length - 1)
  expect(JSON.stringify(ledger.exchanges)).not.toContain('it has expired')
  expect(ledger.start.policies.token).toBe('given, and renewed when it expires')
})

test('a server that rejects an expired token with 401, as RFC 6750 has it, and an invalid body with 400', async () => {
  const tokens = issuer(250)
  const ledger = await run(
    {
      authenticate: tokens.accepts,
      respond: response =>
        response.cause === 'credentials'
          ? { ...response, status: 401, headers: { ...response.headers, 'www-authenticate': 'Bearer' } }
          : response,
    },
    tokens.source,
    { unauthenticated: '401' },
  )
  expect(ledger.findings.filter(({ level }) => level === 'MUST')).toEqual([])
  expect(renewalsIn(ledger)).toBeGreaterThan(1)
})

test('no token that was ever used is in the ledger, although the server repeats each', async () => {
  const tokens = issuer(120)
  const exchanges: unknown[] = []
  const ledger = await during(echoingStore({ authenticate: tokens.accepts }), ({ url }) =>
    verify({
      target: url,
      contract: contracts.plantStore,
      token: tokens.source,
      seed: 1,
      cases: 300,
      onExchange: exchange => exchanges.push(exchange),
    }),
  )
  expect(tokens.issued.length).toBeGreaterThan(2)
  const text = JSON.stringify([ledger, exchanges])
  expect(tokens.issued.filter(token => text.includes(token.slice(0, -1)))).toEqual([])
})

test('faults are found all the same: ids as text, and tokens that are longer than the right one', async () => {
  const tokens = issuer(120)
  const { findings } = await run(
    {
      authenticate: exchange => tokens.accepts(exchange) || bearer(exchange) === `${tokens.issued.at(-1)}x`,
      id: value => typeof value === 'bigint' || typeof value === 'string',
    },
    tokens.source,
  )
  const ids = findings.flatMap(({ obligation, also }) => [obligation, ...also])
  expect(ids).toContain('createPlant/auth/token-lengthened')
  expect(ids.some(id => id.startsWith('createPlant/request/body/id/type'))).toBe(true)
})

test('a server that now and then rejects a valid token fails, also if every token of the source is a new one', async () => {
  let requests = 0
  let given = 0
  const ledger = await run(
    { authenticate: exchange => bearer(exchange).startsWith('Given-') && ++requests % 11 !== 0 },
    () => `Given-${given++}-a8Tz`,
    { only: ['createPlant/request/valid'], cases: 200 },
  )
  expect(ledger.findings.map(({ obligation }) => obligation)).toEqual(['createPlant/stability/consistency'])
  expect(ledger.end?.conclusion).toBe('nonconformant')
})

test('a source that has no other token: the rejections stand, and it is not asked for each of them', async () => {
  let requests = 0
  let asked = 0
  const ledger = await run(
    { authenticate: exchange => bearer(exchange) === 'Only-one-7f' && ++requests < 300 },
    () => {
      asked += 1
      return 'Only-one-7f'
    },
  )
  expect(ledger.findings.map(({ obligation }) => obligation)).toEqual(['createPlant/stability/drift'])
  expect(renewalsIn(ledger)).toBe(0)
  expect(asked).toBeLessThan(20)
})

test('a source that fails ends the run, which accuses nobody', async () => {
  const tokens = issuer(200)
  const ledger = await run({ authenticate: tokens.accepts }, replaced => {
    if (replaced !== null) throw new Error('the issuer is down')
    return tokens.source()
  })
  expect(ledger.findings).toEqual([])
  expect(ledger.end).toMatchObject({
    stopped: 'access',
    reason: 'the server rejects the token, and there is no new one: the issuer is down',
  })
  expect(ledger.end?.conclusion).not.toBe('conformant')
})

test('a source that gives nothing usable: nothing is sent', async () => {
  let requests = 0
  const sent = run({ authenticate: () => ++requests > 0 }, () => 'two\nlines')
  await expect(sent).rejects.toThrow(
    'the token source must give visible ASCII characters, with spaces at most between them',
  )
  expect(requests).toBe(0)
})
