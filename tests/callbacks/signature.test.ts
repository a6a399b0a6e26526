/** Signatures of callbacks and webhooks, in the forms that services use. */
import { createHmac, randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { type Arrival, loadContract, type Scheme, wrongSecrets } from '../../spec/index.ts'
import { startSubscriptions, token } from './subscription-server.ts'

const secret = 'a-secret-of-hooks'
const key = randomBytes(24)
const url = 'https://hooks.example.test/7'
const scheme: Scheme = { name: 'hook', kind: 'apiKey', in: 'header', key: 'X-Signature', pointer: '' }

const hmac = (of: string | Uint8Array, text: string, algorithm = 'sha256') =>
  createHmac(algorithm, of).update(text)

type Form = {
  readonly secret?: string
  readonly scheme?: Scheme
  readonly headers: (body: string) => Readonly<Record<string, string>>
}

const forms: Readonly<Record<string, Form>> = {
  'the secret': { headers: () => ({ 'X-Signature': secret }) },
  'a bearer token': {
    scheme: { name: 'hook', kind: 'bearer', pointer: '' },
    headers: () => ({ Authorization: `Bearer ${secret}` }),
  },
  hexadecimal: { headers: body => ({ 'x-signature': hmac(secret, body).digest('hex') }) },
  'base64, SHA-1': { headers: body => ({ 'X-Signature': hmac(secret, body, 'sha1').digest('base64') }) },
  'SHA-512, base64url': {
    headers: body => ({ 'X-Signature': hmac(secret, body, 'sha512').digest('base64url') }),
  },
  'as GitHub': { headers: body => ({ 'X-Signature': `sha256=${hmac(secret, body).digest('hex')}` }) },
  'as Stripe': {
    headers: body => ({
      'X-Signature': `t=1700000000,v1=${hmac(secret, `1700000000.${body}`).digest('hex')},v0=abc`,
    }),
  },
  'as Slack': {
    headers: body => ({
      'X-Signature': `v0=${hmac(secret, `v0:1700000000:${body}`).digest('hex')}`,
      'X-Slack-Request-Timestamp': '1700000000',
    }),
  },
  'as Square': { headers: body => ({ 'X-Signature': hmac(secret, url + body).digest('base64') }) },
  'as Standard Webhooks': {
    secret: `whsec_${key.toString('base64')}`,
    headers: body => ({
      'X-Signature': `v1,c29tZXRoaW5n v1,${hmac(key, `msg_1.1700000000.${body}`).digest('base64')}`,
      'webhook-id': 'msg_1',
      'webhook-timestamp': '1700000000',
    }),
  },
}

const wrongIn = ({ secret: own = secret, scheme: of = scheme }: Form, headers: object, body: string) => {
  const bytes = new TextEncoder().encode(body)
  const arrival: Arrival = {
    method: 'POST',
    target: '/',
    headers: Object.entries(headers),
    body: bytes,
    at: 0,
  }
  return wrongSecrets([[of]], arrival, url, () => own)
}

test.each(Object.keys(forms))('%s is right for its own body and secret alone', name => {
  const form = forms[name] as Form
  fc.assert(
    fc.property(fc.json(), fc.json(), (body, other) => {
      expect(wrongIn(form, form.headers(body), body)).toEqual([])
      expect(wrongIn({ ...form, secret: `${secret}x` }, form.headers(body), body)).toHaveLength(1)
      const isSigned = !['the secret', 'a bearer token'].includes(name)
      if (isSigned && other !== body) expect(wrongIn(form, form.headers(body), other)).toHaveLength(1)
    }),
    { numRuns: 20 },
  )
})

test('one alternative is enough, and what is not known is not judged', () => {
  const arrival: Arrival = {
    method: 'POST',
    target: '/',
    headers: [['X-Signature', secret]],
    body: null,
    at: 0,
  }
  const other: Scheme = { ...scheme, name: 'other' }
  const secretOf = (name: string): string | null => (name === 'hook' ? secret : 'another')
  expect(wrongSecrets([[other], [scheme]], arrival, url, secretOf)).toEqual([])
  expect(wrongSecrets([[other, scheme]], arrival, url, secretOf)).toEqual([
    'X-Signature is neither the secret of other nor a signature with it',
  ])
  expect(wrongSecrets([[other]], arrival, url, () => null)).toEqual([])
})

const from = fileURLToPath(new URL('subscriptions.openapi.yaml', import.meta.url))

test.each([
  ['secret', []],
  ['another-secret', ['subscribe/callback/ready/credentials']],
])(
  'a run that is given the secret %s of the scheme judges the signatures of a server by it',
  async (hook, expected) => {
    const contract = await loadContract({ from })
    const { url: target, close } = await startSubscriptions()
    try {
      const { findings } = await verify({
        ...{ target, contract, token, seed: 1, cases: 200, sustained: 0, listen: { waitMs: 1000 } },
        secrets: { hook },
      })
      expect(findings.map(({ obligation }) => obligation)).toEqual(expected)
    } finally {
      await close()
    }
  },
)
