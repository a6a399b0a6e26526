import { readFileSync } from 'node:fs'
import { unzipSync, zipSync } from 'fflate'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  addTimeStamp,
  BundleError,
  type TimeTrust,
  timeStampOf,
  timeStampRequest,
} from '../../../reports/index.ts'
import { type Authority, createAuthority, hasOpenssl } from '../../time-stamp-authority.ts'

const zipWith = (text: string): Uint8Array => zipSync({ 'manifest.json': new TextEncoder().encode(text) })
const zip = zipWith('{}')
// An integer has no zeros before it.
const nonce = Uint8Array.of(0, 0, 0xff, 3, 4, 5, 6, 7)
const daysFromNow = (days: number): Date => new Date(Date.now() + days * 24 * 3_600_000)
const trustIn = (caFile: string, days = 0): TimeTrust => ({
  roots: [readFileSync(caFile, 'utf8')],
  isRequired: true,
  now: daysFromNow(days),
})
const nobody = (days = 0): TimeTrust => ({ roots: [], isRequired: false, now: daysFromNow(days) })

const withAnswer = (answer: Uint8Array): Uint8Array => zipSync({ ...unzipSync(zip), 'timestamp.tsr': answer })

/** What is said of an answer; null: it is accepted. */
const problemOf = async (answer: Uint8Array, trust: TimeTrust): Promise<string | null> => {
  try {
    await timeStampOf(withAnswer(answer), trust)
    return null
  } catch (error) {
    expect(error).toBeInstanceOf(BundleError)
    return (error as Error).message
  }
}

describe.skipIf(!hasOpenssl)('a time stamp by OpenSSL (skipped where it is not installed)', () => {
  let good: Authority
  beforeAll(() => {
    good = createAuthority()
  })
  const goodAnswer = async (to = zip): Promise<Uint8Array> => good.answer(await timeStampRequest(to, nonce))

  test('has the time, the authority, and the root that its certificate leads to', async () => {
    const { answer, caFile } = good
    const stamped = await addTimeStamp(
      zip,
      answer(await timeStampRequest(zip, nonce)),
      nonce,
      trustIn(caFile),
    )
    expect(stamped.timeStamp).toEqual({
      time: expect.any(Date),
      authority: 'O=Example, CN=Example authority',
      root: 'O=Example, CN=Example root',
      unchecked: '',
    })
    expect(Math.abs(stamped.timeStamp.time.getTime() - Date.now())).toBeLessThan(60_000)
    expect(await timeStampOf(stamped.zip, trustIn(caFile))).toEqual(stamped.timeStamp)
  })

  test('is not trusted without its root, which is said, or fails if the root has to be another', async () => {
    const answer = await goodAnswer()
    expect(await timeStampOf(withAnswer(answer), nobody())).toMatchObject({
      root: null,
      unchecked: 'its certificate leads to none of the roots of Node.js',
    })
    expect(await problemOf(answer, trustIn(createAuthority().caFile))).toBe(
      'its certificate leads to none of the given certificates',
    )
  })

  test('is not trusted after its certificate has ended', async () => {
    const { caFile } = good
    const answer = await goodAnswer()
    expect(await problemOf(answer, trustIn(caFile, 29))).toBe(null)
    expect(await problemOf(answer, trustIn(caFile, 31))).toMatch(
      /^the certificate of O=Example, CN=Example authority is valid from 2.*Z to 2.*Z only$/,
    )
    expect(await timeStampOf(withAnswer(answer), nobody(31))).toMatchObject({ root: null })
  })

  test('is rejected for another content and another request', async () => {
    const { caFile } = good
    const trust = trustIn(caFile)
    expect(await problemOf(await goodAnswer(zipWith('{ }')), trust)).toBe(
      'it is of another content, and not of manifest.json',
    )
    const other = addTimeStamp(zip, await goodAnswer(), nonce.toReversed(), trust)
    await expect(other).rejects.toThrow('it answers another request: its nonce differs')
  })

  test.each([
    [{ other: { usage: 'critical,serverAuth' } }, 'Example other is not one for time stamps only'],
    [{ other: { usage: 'timeStamping' } }, 'Example other is not one for time stamps only'],
    [{ other: { usage: 'critical,timeStamping,serverAuth' } }, 'is not one for time stamps only'],
    [{ other: { days: -1 } }, 'the certificate of O=Example, CN=Example other was not valid at 2'],
    [{ digest: 'sha1' }, 'it is signed with an algorithm that is not accepted: SHA-256, 384 or 512 is'],
    [
      { accepts: 'sha512' },
      'the authority has refused (status 2, Message digest algorithm is not supported., badAlg)',
    ],
  ])('made with %j is rejected, whether its root is known or not', async (making, problem) => {
    const answer = good.answer(await timeStampRequest(zip, nonce), making)
    expect(await problemOf(answer, trustIn(good.caFile))).toContain(problem)
    expect(await problemOf(answer, nobody())).toContain(problem)
  })

  test.each(['pkcs1', 'pss'] as const)('is accepted with an RSA signature, padded as %s', async rsa => {
    const answer = good.answer(await timeStampRequest(zip, nonce), { other: { rsa } })
    expect(await timeStampOf(withAnswer(answer), trustIn(good.caFile))).toMatchObject({
      authority: 'O=Example, CN=Example other',
      root: 'O=Example, CN=Example root',
    })
  })

  test('says the same after any change of a byte, or is rejected in one line', async () => {
    const trust = trustIn(good.caFile)
    const answer = await goodAnswer()
    const before = await timeStampOf(withAnswer(answer), trust)
    const problems: string[] = []
    for (let at = 0; at < answer.length; at += 7) {
      const changed = Uint8Array.from(answer)
      changed[at] = (changed[at] ?? 0) ^ 4
      try {
        expect(await timeStampOf(withAnswer(changed), trust)).toEqual(before)
      } catch (error) {
        expect(error).toBeInstanceOf(BundleError)
        problems.push((error as Error).message)
      }
    }
    expect(problems.filter(problem => problem.includes('\n'))).toEqual([])
    expect(problems.length).toBeGreaterThan(answer.length / 10)
    expect(problems.join('\n')).toContain('the time stamp was changed, or is not by O=Example')
  })

  test('that is cut, goes on or is no answer at all is rejected', async () => {
    const answer = await goodAnswer()
    const tries = [
      answer.slice(0, -1),
      Buffer.concat([answer, Buffer.of(0)]),
      Buffer.of(),
      Buffer.from('<html>'),
    ]
    for (const bytes of [...tries, new Uint8Array(70_000)])
      expect(await problemOf(bytes, nobody())).toMatch(/^it is not the answer of a time-stamping authority/)
  })
})

test('a bundle without a time stamp is told from one that needs none', async () => {
  expect(await timeStampOf(zip, nobody())).toBe(null)
  await expect(timeStampOf(zip, { ...nobody(), isRequired: true })).rejects.toThrow(
    'it is missing: this bundle has no time stamp',
  )
})
