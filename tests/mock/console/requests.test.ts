/** The requests that the console shows, as JSON. */
import { describe, expect, test } from 'vitest'
import type { ExchangeSummary } from '../../../mock/console/messages.ts'
import { loadContract } from '../../../spec/index.ts'
import { libraryDocument } from '../../documents/index.ts'
import { exchange, postPlant, send, startMock } from '../client.ts'
import { callConsole, getDetails, getJson, requirementOf } from './call-console.ts'

const withToken = { Authorization: 'Bearer s3cret-token' }

describe('requests', () => {
  test('are listed with their violations and without their tokens', async () => {
    const mock = await startMock()
    await send(mock, postPlant('{"id":"2"}', withToken))
    await send(mock, { method: 'GET', path: '/nowhere?access_token=s3cret-token' })
    await exchange(mock, 'NONSENSE\r\n\r\n')
    const response = await callConsole(mock, 'requests')
    const text = await response.text()
    expect(text).not.toContain('s3cret')
    expect(JSON.parse(text)).toMatchObject([
      {
        number: 1,
        method: 'POST',
        operation: 'createPlant',
        violations: [{}, { id: 'createPlant/request/body/id/type/numeral' }],
      },
      { number: 2, target: '/nowhere?access_token=••••••', operation: null },
      { number: 3, method: '', status: 400 },
    ])
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('have details: the violated requirement, its place in the document, and the secrets to hide', async () => {
    const mock = await startMock()
    await send(mock, postPlant('{"id":"2","name":"s3cret-token"}', withToken))
    const details = await getDetails(mock, 1)
    expect(details.violations).toEqual([
      {
        id: 'createPlant/request/body/id/type/numeral',
        code: 21,
        message: '/id must be an integer',
        requirement: requirementOf(mock, 'createPlant/request/body/id/type/numeral'),
        place: expect.stringMatching(/plant-store\.openapi\.yaml:57$/),
      },
    ])
    expect(details.secrets).toEqual(['s3cret-token'])
    expect(details.requestHeaders).toContainEqual({
      name: 'Authorization',
      value: 'Bearer s3cret-token',
      masked: 'Bearer ••••••',
    })
    expect(JSON.stringify([details.maskedSnippets, details.editable])).not.toContain('s3cret')
    expect((await callConsole(mock, 'requests/99')).status).toBe(404)
  })

  test.each([
    ['body/json', 'body/json/trailing-comma', postPlant('{"id":1,}')],
    [
      'content-type/undeclared',
      'content-type/text',
      postPlant('{"id":1,"name":"a"}', { 'Content-Type': 'text/plain' }),
    ],
  ])(
    'whose violation (%s) is of several obligations have the requirement of one: %s',
    async (group, member, request) => {
      const mock = await startMock()
      await send(mock, request)
      const { summary, violations } = await getDetails(mock, 1)
      expect(summary.violations.map(({ id }) => id)).toEqual([`createPlant/request/${group}`])
      const id = `createPlant/request/${member}`
      expect(violations).toMatchObject([{ id, requirement: requirementOf(mock, id) }])
    },
  )

  test.each([
    [
      'an API key in the query',
      { method: 'GET', path: '/books?key=s3cret-key&limit=1' },
      '/books?key=••••••&limit=1',
    ],
    ['a percent-encoded API key', { method: 'GET', path: '/books?key=s3cret%2Dkey' }, '/books?key=••••••'],
  ] as const)('do not show %s', async (_name, request, shown) => {
    const library = await loadContract({ from: libraryDocument })
    const scheme = { kind: 'apiKey', name: 'key', in: 'query', key: 'key', pointer: '' } as const
    const operations = library.operations.map(operation => ({ ...operation, security: [[scheme]] }))
    const mock = await startMock({ contract: { ...library, operations }, warn: () => {} })
    await send(mock, request)
    const [summary] = await getJson<readonly ExchangeSummary[]>(mock, 'requests')
    expect(summary?.target).toBe(shown)
    const { secrets, maskedSnippets } = await getDetails(mock, 1)
    expect(secrets).toContain('s3cret-key')
    expect(JSON.stringify(maskedSnippets)).not.toContain('s3cret')
  })

  test('hide user and password of Basic credentials, cookies, and headers whose name suggests a secret', async () => {
    const mock = await startMock()
    await send(mock, {
      method: 'GET',
      path: '/x',
      headers: {
        Authorization: `Basic ${btoa('anna:geheim1')}`,
        Cookie: 'a=first-one; b=second-one',
        'X-Session-Id': 'third-one',
      },
    })
    const { requestHeaders, secrets } = await getDetails(mock, 1)
    expect(secrets).toEqual(
      expect.arrayContaining(['anna:geheim1', btoa('anna:geheim1'), 'first-one', 'second-one', 'third-one']),
    )
    expect(JSON.stringify(requestHeaders.map(({ masked }) => masked))).not.toMatch(/-one|YW5u/)
  })

  test('keep binary data and int64 numbers unchanged, and cut long bodies', async () => {
    const mock = await startMock()
    await send(mock, postPlant(Uint8Array.of(0, 255, 1)))
    await send(mock, postPlant(`{"id":9223372036854775807,"name":"${'é'.repeat(50_000)}"}`))
    const [binary, long] = [await getDetails(mock, 1), await getDetails(mock, 2)]
    expect(binary.requestBody).toEqual({ size: 3, kept: 3, text: null, base64: 'AP8B' })
    expect(long.requestBody).toMatchObject({ kept: 65_536, base64: null })
    expect(long.requestBody?.size).toBeGreaterThan(100_000)
    expect(long.requestBody?.text).toMatch(/^\{"id":9223372036854775807,/)
    expect(long.maskedSnippets).toEqual({ reason: expect.stringContaining('65536 of') })
  })

  test('can be cleared; the numbering continues', async () => {
    const mock = await startMock()
    await send(mock, { method: 'GET', path: '/1' })
    expect((await callConsole(mock, 'requests', { method: 'DELETE' })).status).toBe(204)
    expect(await getJson(mock, 'requests')).toEqual([])
    await send(mock, { method: 'GET', path: '/2' })
    expect(await getJson(mock, 'requests')).toMatchObject([{ number: 2, target: '/2' }])
  })

  test('are hidden from pages of other origins, as everything else in the console is', async () => {
    const mock = await startMock()
    for (const path of ['', 'requests', 'requests/1', 'events', 'coverage', 'contract'])
      expect((await callConsole(mock, path, { headers: { Origin: 'http://shop.example' } })).status).toBe(403)
    expect(
      (await callConsole(mock, 'requests', { method: 'DELETE', headers: { Origin: 'null' } })).status,
    ).toBe(403)
  })
})
