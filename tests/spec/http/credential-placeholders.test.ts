import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tokenForms } from '../../../spec/http/credential-placeholders.ts'
import {
  fillToken,
  type HttpResponse,
  placeholder,
  recordBody,
  recordedBytes,
  recordOutcome,
  recordRequest,
  redact,
} from '../../../spec/index.ts'

const tokens = fc.stringMatching(/^[A-Za-z0-9._~+/-]{4,30}$/).filter(token => !'{{token}}'.includes(token))
const texts = fc.string({ maxLength: 20 })

test('a redacted text contains the token in none of the forms in which it is sent', () => {
  fc.assert(
    fc.property(
      fc.array(tokens, { minLength: 1, maxLength: 4 }),
      fc.array(texts),
      fc.infiniteStream(fc.nat()),
      (all, parts, picks) => {
        const text = parts
          .map(part => {
            const pick = picks.next().value
            const token = all[pick % all.length] as string
            const forms = [
              token,
              Buffer.from(token).toString('base64'),
              encodeURIComponent(token),
              token.slice(0, -1),
            ]
            return part + forms[pick % forms.length]
          })
          .join('')
        const rest = redact(text, all)
        for (const token of all) {
          expect(rest).not.toContain(token)
          expect(rest).not.toContain(Buffer.from(token).toString('base64'))
        }
      },
    ),
  )
})

test('a token is taken out wherever it stands in what a program has encoded', () => {
  const codes = (text: string): readonly string[] =>
    [...text].map(char => (char.codePointAt(0) as number).toString(16))
  const encodings: readonly ((text: string) => string)[] = [
    text => Buffer.from(text).toString('base64'),
    text => Buffer.from(text).toString('base64url'),
    text => Buffer.from(text).toString('hex'),
    text => Buffer.from(text).toString('hex').toUpperCase(),
    text => Buffer.from(text).toString('hex').replace(/../g, '%$&'),
    text =>
      codes(text)
        .map(code => `\\u${code.padStart(4, '0')}`)
        .join(''),
    text =>
      codes(text)
        .map(code => `&#x${code};`)
        .join(''),
    text => [...text].map(char => `&#${char.codePointAt(0)};`).join(''),
  ]
  fc.assert(
    fc.property(
      fc.stringMatching(/^[A-Za-z0-9._~+/-]{8,30}$/).filter(token => !'{{token}}'.includes(token)),
      texts,
      texts,
      fc.constantFrom(...encodings),
      (token, before, after, encode) => {
        const text = encode(before + token + after)
        const rest = redact(text, [token])
        expect(rest).toContain('{{token}}')
        // What is left is too little to turn back.
        expect(rest.replaceAll('{{token}}', '').length).toBeLessThanOrEqual(
          text.length - encode(token).length + 8,
        )
      },
    ),
    { numRuns: 500 },
  )
})

test('the longer of two tokens is redacted as a whole', () => {
  expect(redact('a secret-and-more b secret', ['secret', 'secret-and-more'])).toBe('a {{token}} b {{token}}')
  expect(redact('user:secret', ['user:secret'])).toBe('{{token}}')
  expect(redact('nothing of it', ['secret', '', 'it'])).toBe('nothing of it')
})

test('a placeholder becomes the token in its form, and only the right form is the token itself', () => {
  fc.assert(
    fc.property(
      tokens.filter(token => /[a-z]/.test(token) && /[A-Z]/.test(token)),
      token => {
        expect(fillToken(`Bearer ${placeholder('right')}`, token)).toBe(`Bearer ${token}`)
        for (const form of tokenForms)
          expect(fillToken(placeholder(form), token) === token).toBe(form === 'right')
      },
    ),
  )
})

test('text without placeholders stays as it is', () => {
  fc.assert(
    fc.property(fc.string(), text => {
      expect(fillToken(text.replaceAll('{{token', '{token'), 'abc')).toBe(
        text.replaceAll('{{token', '{token'),
      )
    }),
  )
  expect(fillToken('{{name}} {{token:unheard}}', 'abc')).toMatch(/^\{\{name\}\} /)
})

const outcome = (body: Uint8Array, headers: HttpResponse['headers'] = []) =>
  ({ kind: 'response', response: { status: 200, headers, body }, ms: 1.23456 }) as const

test('a recorded outcome has no token, neither in binary bytes nor across the cut', () => {
  const token = 'secret-token'
  const around = fc.uint8Array({ maxLength: 12 })
  fc.assert(
    fc.property(around, around, fc.nat(40), (before, after, limit) => {
      const body = Buffer.concat([before, Buffer.from(token), after])
      const recorded = recordOutcome(outcome(body, [['X-Echo', `Bearer ${token}`]]), [token], limit)
      if (recorded.kind !== 'response') throw new Error('no response')
      const { encoding, data, bytes } = recorded.body
      expect(Buffer.from(data, encoding).toString('latin1')).not.toContain(token.slice(0, 6))
      expect(JSON.stringify(recorded)).not.toContain(token)
      expect(bytes).toBe(body.length)
    }),
  )
})

test('a failure is recorded without the token, and with a rounded time', () => {
  const failure = {
    kind: 'failure',
    failure: 'reset',
    status: null,
    detail: 'after secret-token',
    ms: 1.23456,
  } as const
  expect(recordOutcome(failure, ['secret-token'], 100)).toEqual({
    ...failure,
    detail: 'after {{token}}',
    ms: 1.23,
  })
})

test('a recorded body returns its bytes, or null if it was cut', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.string({ unit: 'grapheme' }).map(text => new TextEncoder().encode(text)),
      ),
      body => {
        expect(Buffer.from(recordedBytes(recordBody(body, 1000)) ?? [])).toEqual(Buffer.from(body))
        if (body.length > 3) expect(recordedBytes(recordBody(body, 2))).toBeNull()
      },
    ),
  )
})

test('text cut in the middle of a character stays text', () => {
  expect(recordBody(new TextEncoder().encode('ab🌱cd'), 4)).toEqual({
    encoding: 'utf8',
    data: 'ab',
    bytes: 8,
  })
  expect(recordBody(Uint8Array.from([0xff, 0x41]), 10)).toEqual({
    encoding: 'base64',
    data: '/0E=',
    bytes: 2,
  })
})

test('a request is recorded with its placeholders', () => {
  const request = {
    method: 'POST',
    target: '/a',
    headers: [['Authorization', `Bearer ${placeholder('right')}`]],
    body: null,
    chunked: false,
  } as const
  expect(recordRequest(request, 10)).toEqual(request)
})

test.each([
  ['lower-case', 'aB1', 'ab1'],
  ['upper-case', 'aB1', 'AB1'],
  ['swapped-case', 'aB1', 'Ab1'],
  ['lower-case', 'Token aB1', 'Token ab1'],
  ['upper-case', 'Token aB1', 'Token AB1'],
  ['swapped-case', 'Token  aB1', 'Token  Ab1'],
  ['lower-case', 'a Bc D', 'a bc d'],
] as const)('in the form %s, %s is %s: the letter case of a scheme stays', (form, token, expected) => {
  expect(fillToken(placeholder(form), token)).toBe(expected)
})

test('a JWT with another last character has another signature', () => {
  for (const last of 'AQgwcdz09-_') {
    const token = `eyJhbGciOiJIUzI1NiJ9.eyJpZCI6MX0.${'a'.repeat(42)}${last}`
    const changed = fillToken(placeholder('last-changed'), `Bearer ${token}`)
    const signature = (text: string): string =>
      Buffer.from(text.split('.').at(-1) ?? '', 'base64url').toString('hex')
    expect(changed.slice(0, -1)).toBe(`Bearer ${token.slice(0, -1)}`)
    expect(signature(changed)).not.toBe(signature(token))
  }
})
