/** `plantstore proxy` as a contract test of the traffic that goes through it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readLedger } from '../../../reports/index.ts'
import { foldLedger } from '../../../spec/index.ts'
import { during, emptyFolder, plantstore, start } from '../command.ts'
import { deadUrl, postThroughProxy, storeWith } from '../servers.ts'

type Sent = { readonly body: string; readonly token?: string }

/** Runs a proxy in front of a server, sends plants through it, and ends it. */
const ranWith = async (url: string, args: readonly string[], sent: readonly Sent[]) => {
  const cwd = emptyFolder()
  const run = start(['proxy', url, '--port', '0', ...args], { cwd })
  const [, at] = await run.shows(/^proxy at (\S+), in front of /m)
  await run.shows(/console .*\n/)
  for (const { body, token } of sent)
    await fetch(`${at}/plants`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body,
    }).then(response => response.bytes())
  run.kill('SIGINT')
  return { cwd, ...(await run.ended) }
}

const body = '{"id":1,"name":"Fern"}'

describe.concurrent('plantstore proxy', () => {
  test('writes what the traffic shows, without credentials, and fails on the server’s fault', () =>
    during(storeWith({ plant: ({ name }) => ({ name, tag: 7 }) }), async ({ url, token }) => {
      const args = [
        '--fail-on',
        'response',
        '--report',
        'html,junit,json',
        '--har',
        'traffic.har',
        '--log',
        'json',
      ]
      const sent = [{ body, token }, { body: '{"id":2}', token }, { body: '{"id":3,"name":"a"}' }]
      const { cwd, code, stdout, stderr } = await ranWith(url, args, sent)
      expect(stdout).toContain('3 exchanges: 2 invalid requests, the server at fault in 1\n')
      expect(stdout).toMatch(/^NOT CONFORMANT/m)
      expect(code).toBe(1)
      const out = join(cwd, 'plantstore-report')
      const { entries, findings, end } = foldLedger(
        readLedger(readFileSync(join(out, 'ledger.ndjson'), 'utf8')),
      )
      const verdicts = new Map(entries.map(({ obligation, verdict }) => [obligation.id, verdict.kind]))
      expect(verdicts.get('createPlant/response/200/body/tag/type')).toBe('failed')
      expect(verdicts.get('createPlant/request/valid')).toBe('passed')
      expect(verdicts.get('createPlant/request/body/name/required')).toBe('passed')
      expect(verdicts.get('createPlant/auth/absent')).toBe('passed')
      expect(verdicts.get('createPlant/request/body/id/required')).toBe('untested')
      expect(findings).toMatchObject([{ cases: 1, repeat: 'unrepeated', curl: expect.stringContaining(url) }])
      expect(end).toMatchObject({ requests: 3, cases: 3, conclusion: 'nonconformant' })
      const { log } = JSON.parse(readFileSync(join(cwd, 'traffic.har'), 'utf8'))
      expect(log.entries.map((entry: { response: { status: number } }) => entry.response.status)).toEqual([
        200, 400, 400,
      ])
      expect(log.entries.map((entry: { comment?: string }) => entry.comment)).toEqual([
        'breaks createPlant/response/200/body/tag/type',
        'breaks createPlant/request/body/name/required',
        'breaks createPlant/auth/absent',
      ])
      const written = readdirSync(out).map(file => readFileSync(join(out, file), 'utf8'))
      expect([...written, JSON.stringify(log), stdout, stderr].join('')).not.toContain(token)
      expect(stderr).toContain('"response":[{"id":"createPlant/response/200/body/tag/type"')
      expect((await plantstore(['report', 'plantstore-report/ledger.ndjson'], { cwd })).code).toBe(1)
    }))

  test('takes an invalid request that the server accepts for a fault of both', () =>
    during(storeWith({ name: () => true }), async ({ url, token }) => {
      const sent = [{ body: '{"id":1}', token }]
      const { code, stdout } = await ranWith(url, ['--fail-on', 'response', '--report', 'json'], sent)
      expect(stdout).toContain('1 exchange: 1 invalid request, the server at fault in 1\n')
      expect(stdout).toContain('accepted an invalid request: /name is missing')
      expect(code).toBe(1)
    }))

  test('fails on what it is told to', () =>
    during(storeWith({}), async ({ url, token }) => {
      const invalid = [{ body: '{"id":1}', token }]
      const codes = await Promise.all([
        ranWith(url, ['--fail-on', 'request'], invalid),
        ranWith(url, ['--fail-on', 'response'], invalid),
        ranWith(url, [], invalid),
      ])
      expect(codes.map(({ code }) => code)).toEqual([1, 0, 130])
    }))

  test('ends with the command of --run, and fails if it fails', () =>
    during(storeWith({}), async ({ url, token }) => {
      const [passed, failed, idle] = await Promise.all(
        [postThroughProxy(token), `${postThroughProxy(token)}; exit 3`, 'true'].map(command =>
          plantstore(['proxy', url, '--port', '0', '--fail-on', 'response', '--run', command]),
        ),
      )
      expect(passed).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('1 exchange: 0 invalid requests, the server at fault in 0\n'),
      })
      expect(failed).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('exit 3 ended with exit code 3\n'),
      })
      expect(idle).toMatchObject({
        code: 4,
        stderr: expect.stringContaining('nothing was judged: no request for an operation of the contract'),
      })
    }))

  test('a signal ends the command of --run as well', async () => {
    const run = start(['proxy', await deadUrl(), '--port', '0', '--run', 'echo begun; sleep 600'])
    await run.shows(/^begun$/m)
    run.kill('SIGINT')
    expect(await run.ended).toMatchObject({
      code: 130,
      stderr: expect.stringMatching(/^--run .* was stopped$/m),
    })
  })

  test('says what is missing', async () => {
    const { code, stderr } = await plantstore(['proxy'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('give the base URL of the server')])
  })

  test('fails on a server that is not there', async () => {
    const { code, stdout } = await ranWith(await deadUrl(), ['--fail-on', 'response'], [{ body, token: 'a' }])
    expect([code, stdout]).toEqual([1, expect.stringContaining('the server at fault in 1\n')])
  })
})
