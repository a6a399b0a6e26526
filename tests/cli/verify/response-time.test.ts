import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allTested } from '../../conclusion-so-far.ts'
import { filesIn } from '../../folder.ts'
import { during, emptyFolder, plantstore } from '../command.ts'
import { storeWith } from '../servers.ts'

const slow = (): ReturnType<typeof storeWith> => {
  let accepted = 0
  return storeWith({
    respond: async (response, exchange) => {
      if (response.cause === 'none' && ++accepted % 8 === 0) await exchange.wait(30)
      return response
    },
  })
}

test('a limit that is exceeded is a finding in every report, and can be put into a baseline', async () => {
  const cwd = emptyFolder()
  await during(slow(), async ({ url, token }) => {
    writeFileSync(
      join(cwd, 'plantstore.config.yaml'),
      'verify:\n  maxResponseTime: [createPlant:max=25ms, p95=1h]\n',
    )
    const args = ['verify', url, '--token', token, '--seed', '1', '--cases', '350']
    const { code, stdout } = await plantstore([...args, '--report', 'all'], { cwd })
    expect(stdout).toMatch(/responded too slowly: max [\d.]+ ms/)
    expect(stdout).toMatch(/expected +max ≤ 25 ms\n +actual +max [\d.]+ ms over \d+ responses/)
    expect(stdout).toMatch(
      /^reproduce this run: .* --max-response-time createPlant:max=25ms --max-response-time p95=3600000ms$/m,
    )
    expect(code).toBe(1)
    // Workflows are what worked.
    for (const [name, text] of filesIn(join(cwd, 'plantstore-report')))
      if (!/-(result|container|attachment)\b|^(environment|categories|executor|flows\.)/.test(name))
        expect([name, text.includes('createPlant/response/time/max')]).toEqual([name, true])
    const ledger = 'plantstore-report/ledger.ndjson'
    const [, id = ''] = /"type":"finding","id":"([^"]+)"/.exec(readFileSync(join(cwd, ledger), 'utf8')) ?? []
    const again = await plantstore(['replay', ledger, id, '--token', token], { cwd })
    expect([again.code, again.stderr]).toEqual([
      2,
      'plantstore: a response time is measured over many responses: run verify with --max-response-time again\n',
    ])
    await plantstore(['baseline', ledger, '--out', 'known.yaml'], { cwd })
    expect(readFileSync(join(cwd, 'known.yaml'), 'utf8')).toContain('createPlant/response/time/max')
    expect((await plantstore([...args, ...allTested, '--baseline', 'known.yaml'], { cwd })).code).toBe(0)
  })
})

test.each([
  ['p95=300', 'p95=300s', 'p95=300ms'],
  ['p40=1s', 'p100=1s', 'p9=1s'],
  ['p95=fast', 'average=1s', 'createPlant:=1s'],
])('%s, %s and %s: what is no limit is rejected, such as one without a unit', async (...limits) => {
  for (const limit of limits) {
    const { code, stderr } = await plantstore(['config', 'verify', '--max-response-time', limit])
    const isValid = /^p95=300m?s$/.test(limit)
    expect([limit, code]).toEqual([limit, isValid ? 0 : 2])
    if (!isValid) expect(stderr).toMatch(/It must be p50 to p99 or max and a time, such as p95=300ms/)
  }
})

test('without the limit nobody knows of its requirement, and errors say why', async () => {
  const id = 'createPlant/response/time/p95'
  const message = `plantstore: there is no obligation ${id}: it is tested only with --max-response-time\n`
  for (const args of [
    ['verify', 'embedded-mock', '--only', id],
    ['explain', id],
  ])
    expect(await plantstore(args)).toMatchObject({ code: 2, stderr: message })
})
