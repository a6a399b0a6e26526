/** Each hint says where to look, on a server that has just this fault. */
import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { during } from '../../cli/command.ts'
import { brokenStore } from '../../cli/servers.ts'
import { contracts } from '../../spec/contracts.ts'

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
  ['challenge-absent', 'response/401/challenge/present', 'WWW-Authenticate'],
] as const)('%s: the hint for %s says “%s”', async (name, obligation, words) => {
  const unauthenticated = name.startsWith('challenge') ? '401' : 'declared'
  await during(brokenStore(name), async ({ url, token }) => {
    const { findings } = await verify({
      target: url,
      token,
      contract: contracts.plantStore,
      seed: 7,
      cases: ['ignores-letter-case-of-names', 'takes-test-token'].includes(name) ? 1500 : 300,
      sustained: 0,
      unauthenticated,
    })
    const found = findings.map(({ obligation: id, hint }) => `${id}: ${hint}`)
    expect(found).toContainEqual(expect.stringMatching(new RegExp(`^createPlant/${obligation}: .*${words}`)))
  })
})
