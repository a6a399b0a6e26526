/** Each hint says where to look, on a server that has just this fault. */
import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { during } from '../../cli/command.ts'
import { brokenStore } from '../../cli/servers.ts'
import { contracts } from '../../spec/contracts.ts'

/** Their faults show in a default run only. */
const needMore = [
  'ignores-letter-case-of-names',
  'takes-test-token',
  'rejects-after-400',
  'limits-name-and-tag-together',
  'rejects-unsafe-id-with-empty-name',
]

test.concurrent.each([
  ['stops-at-the-first-value', 'request/body/json/trailing-garbage', 'io.EOF'],
  ['replaces-invalid-utf8', 'request/body/json/invalid-utf8', 'Decode the bytes as UTF-8 strictly'],
  ['ignores-letter-case-of-names', 'request/body/id/required', 'exactly this name'],
  ['cuts-fraction-of-id', 'request/body/id/type/fraction', 'JSON.parse has rounded already'],
  ['rejects-id-zero', 'request/body/id/zero', 'take 0 for absent'],
  ['rejects-chunks', 'request/framing/chunked', 'no Content-Length'],
  ['takes-session-cookie', 'auth/cookie-token', 'declared place alone'],
  ['takes-body-token', 'auth/body-token', 'declared place alone'],
  ['trusts-forwarded-for', 'auth/trusted-header', 'exempts internal clients'],
  ['takes-globs', 'auth/pattern-token', 'timingSafeEqual'],
  ['takes-unsigned-jwt', 'auth/forged-token', 'fixed list of algorithms'],
  ['takes-test-token', 'auth/placeholder-token', 'left in the code'],
  ['rejects-two-spaces', 'auth/two-spaces', 'one or more spaces'],
  ['rejects-lower-case-scheme', 'auth/lower-case-scheme', 'case-insensitively'],
  ['echoes-no-empty-tag', 'response/200/echo/tag', 'omitempty'],
  ['plant-with-null-tag', 'response/200/body/tag/type', 'leave it out'],
  ['rejects-malformed-json-in-html', 'response/400/content-type', 'HTML page'],
  ['requires-tag', 'request/body/presence/required-only', 'optional'],
  ['skips-check-for-preflight-override', 'auth/method-override', 'exempts internal clients'],
  ['crashes-on-apostrophes', 'request/body/name/(quotes|sql)', 'uncaught error'],
  ['hangs-up-on-astral-characters', 'response/declared', 'crash while the server handles'],
  ['announces-more-than-untagged-plants-have', 'response/200/length', 'Compare Content-Length'],
  ['rejects-credentials-with-401', 'response/declared', 'does not declare it'],
  ['rejects-plants-with-422', 'response/declared', 'not as the contract declares'],
  ['creates-with-201', 'response/declared', 'Declare this status'],
  ['rejects-accents', 'request/body/name/accents', 'what the server does with this text'],
  ['rejects-negative-ids', 'request/body/id/minus-one', 'parses and stores numbers'],
  ['takes-id-in-quotes', 'request/body/id/type/numeral', 'converted text to a number'],
  ['takes-boolean-id', 'request/body/id/type/boolean', 'not only its presence'],
  ['takes-id-above', 'request/body/id/format/above', 'rounds integers beyond'],
  ['takes-two-wrong-properties', 'request/body/several-violations', 'each property by itself'],
  ['takes-nan', 'request/body/json/nan', 'Parse the body strictly'],
  ['takes-text', 'request/content-type/text', 'before parsing the body'],
  ['compares-content-type-case-sensitively', 'request/content-type/letter-case', 'without their parameters'],
  ['rejects-via', 'request/header/proxy', 'headers that you do not know'],
  ['rejects-white-space', 'request/layout/whitespace', 'RFC 8259'],
  ['rejects-after-400', 'stability/drift', 'state that requests share'],
  ['errors-are-text', 'response/400/content-type', 'Set the Content-Type'],
  ['error-is-a-string', 'response/400/body/error/type', 'Compare the body with the schema'],
  ['echoes-trimmed', 'response/200/echo/name', 'trimming'],
  ['limits-name-and-tag-together', 'request/valid', 'Compare this request'],
  ['rejects-unsafe-id-with-empty-name', 'request/combined', 'two of them reach together'],
  ['takes-any-token', 'auth/wrong-token', 'compare the whole token exactly'],
  ['challenge-absent', 'response/401/challenge/present', 'WWW-Authenticate'],
] as const)('%s: the hint for %s says “%s”', async (name, obligation, words) => {
  const unauthenticated = name.startsWith('challenge') ? '401' : 'declared'
  await during(brokenStore(name), async ({ url, token }) => {
    const { findings } = await verify({
      target: url,
      token,
      contract: contracts.plantStore,
      seed: 7,
      cases: needMore.some(each => each === name) ? 1500 : 300,
      sustained: 0,
      unauthenticated,
    })
    const found = findings.map(({ obligation: id, hint }) => `${id}: ${hint}`)
    expect(found).toContainEqual(expect.stringMatching(new RegExp(`^createPlant/${obligation}: .*${words}`)))
  })
})
