/** The scenarios panel, in a real browser. */
import { readFileSync } from 'node:fs'
import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { scenariosText } from '../../../../mock/console/page/views/scenario-text.ts'
import type { Scenario as ScenarioMessage } from '../../../../mock/console/scenario-messages.ts'
import type { Scenario } from '../../../../mock/scenarios/registry.ts'
import { postPlant, send, startMock } from '../../client.ts'
import { eventually, rowsOf, textOf, useBrowser } from './open-console.ts'

const openConsole = useBrowser()
const valid = postPlant('{"id":1,"name":"Fern"}')

test('the page knows every setting of a scenario', () => {
  expectTypeOf<Scenario>().toExtend<ScenarioMessage>()
  expectTypeOf<keyof Scenario>().toEqualTypeOf<keyof ScenarioMessage>()
})

test('scenarios of tokens say how long they are right, and what for', () => {
  expect(scenariosText([{ expires: 60, scopes: 'orders:read' }])).toBe(
    'tokens expire after 60 s, tokens have the scopes orders:read',
  )
})

describe('scenarios', () => {
  test('are switched on with one click, are marked in the traffic, and are switched off', async () => {
    const mock = await startMock()
    const { page, problems } = await openConsole(mock, '#scenarios')
    await page.getByText('follows the contract').waitFor()
    await page.getByRole('button', { name: 'Fail with 400' }).click()
    await page.getByText('responds with 400').waitFor()
    expect(await page.getByRole('button', { name: 'Fail with 400', pressed: true }).count()).toBe(1)
    expect((await send(mock, valid)).status).toBe(400)
    await page.getByRole('link', { name: /^Traffic/ }).click()
    const row = rowsOf(page).first()
    await row.waitFor()
    expect(await textOf(row)).toMatch(/valid.*400/s)
    expect(await row.locator('.tag').count()).toBe(1)
    await page.getByRole('link', { name: 'Scenarios' }).click()
    await page.getByRole('button', { name: 'Switch off' }).click()
    await page.getByText('follows the contract').waitFor()
    expect((await send(mock, valid)).status).toBe(200)
    expect(problems).toEqual([])
  })

  test('are described in full in the form, which reports settings that make no sense', async () => {
    const mock = await startMock()
    const { page } = await openConsole(mock, '#scenarios')
    await page.getByRole('button', { name: 'More…' }).click()
    await page.getByLabel('Status').fill('400')
    await page.getByLabel('Error code').fill('77')
    await page.getByLabel('Error message').fill('out of soil')
    await page.getByLabel('Delay, ms', { exact: true }).fill('5')
    await page.getByLabel('Maximum delay, ms').fill('10')
    await page.getByRole('button', { name: 'Switch on' }).click()
    await page.getByText('responds with 400, error code 77, message “out of soil”, after 5–10 ms').waitFor()
    const response = await send(mock, valid)
    expect(Buffer.from(response.body).toString()).toContain('out of soil')
    await page.getByLabel('Status').fill('299')
    await page.getByRole('button', { name: 'Switch on' }).click()
    await eventually(() => page.getByRole('alert').allInnerTexts()).toEqual([expect.stringContaining('299')])
    await page.getByRole('button', { name: 'Switch all off' }).click()
    await page.getByText('follows the contract').waitFor()
  })

  test('are shown with their answers, which the form keeps, and one after the other', async () => {
    const mock = await startMock()
    await mock.scenarios.set('createPlant', { body: { name: 'Ivy' }, times: 3 })
    const { page, problems } = await openConsole(mock, '#scenarios')
    await page.getByText('at most 3 times: answers {"name":"Ivy"}').waitFor()
    await page.getByRole('button', { name: 'More…' }).click()
    await page.getByLabel('Delay, ms', { exact: true }).fill('5')
    await page.getByRole('button', { name: 'Switch on' }).click()
    await page.getByText('at most 3 times: answers {"name":"Ivy"}, after 5 ms').waitFor()
    expect(mock.scenarios.state().operations).toEqual({
      createPlant: { body: { name: 'Ivy' }, times: 3, delay: 5 },
    })
    await mock.answer('createPlant', () => ({ name: 'Moss' }), { when: { body: { id: 7 } } })
    await page.reload()
    await page.getByText('after 5 ms; then requests with {"body":{"id":7}}: a function answers').waitFor()
    await page.getByRole('button', { name: 'Switch off' }).click()
    await page.getByText('follows the contract').waitFor()
    expect(problems).toEqual([])
  })

  test('are saved as a file, and loaded from one', async () => {
    const mock = await startMock()
    await mock.scenarios.set('createPlant', { body: { name: 'Ivy' }, times: 3 })
    const { page, problems } = await openConsole(mock, '#scenarios')
    await page.getByText('answers {"name":"Ivy"}').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as file' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('scenarios.json')
    const saved = readFileSync(await download.path())
    await page.getByRole('button', { name: 'Switch all off' }).click()
    await page.getByText('follows the contract').waitFor()
    const load = (buffer: Buffer) =>
      page
        .getByLabel('Scenario file')
        .setInputFiles({ name: 'scenarios.json', mimeType: 'application/json', buffer })
    await load(saved)
    await page.getByText('answers {"name":"Ivy"}').waitFor()
    expect(mock.scenarios.state()).toMatchObject({ operations: { createPlant: { times: 3 } }, set: 'saved' })
    await load(Buffer.from('{"sets":{"down":{"createPlant":{"status":503}}}}'))
    await page.getByRole('alert').getByText('503').waitFor()
    expect(mock.scenarios.state().sets).toEqual(['saved'])
    await load(Buffer.from('sets: {}'))
    await page.getByRole('alert').getByText('scenario file in JSON').waitFor()
    await load(Buffer.from('{"sets":{"calm":{},"down":{"createPlant":{"status":400}}}}'))
    await page.getByRole('button', { name: 'down' }).click()
    await page.getByText('responds with 400').waitFor()
    expect(problems).toEqual([])
  })

  test('apply to one client if one is named', async () => {
    const mock = await startMock()
    const { page } = await openConsole(mock, '#scenarios')
    const client = page.getByRole('textbox', { name: 'Client' })
    await client.fill('mine')
    await client.blur()
    await page.getByText('Plantstore-Client: mine').waitFor()
    await page.getByRole('button', { name: 'Fail with 400' }).click()
    await page.getByText('responds with 400').waitFor()
    expect((await send(mock, valid)).status).toBe(200)
    const mine = postPlant('{"id":1,"name":"Fern"}', { 'Plantstore-Client': 'mine' })
    expect((await send(mock, mine)).status).toBe(400)
  })

  test('are shown as the latest call left them, even if an earlier response arrives later', async () => {
    const mock = await startMock()
    const { page } = await openConsole(mock, '#scenarios')
    await page.getByText('follows the contract').waitFor()
    const late = Promise.withResolvers<void>()
    await page.route('**/__plantstore/scenarios', async route => {
      const response = await route.fetch()
      await late.promise
      await route.fulfill({ response })
    })
    onTestFinished(() => page.unrouteAll({ behavior: 'wait' }))
    const early = page.waitForResponse('**/__plantstore/scenarios')
    const client = page.getByRole('textbox', { name: 'Client' })
    await client.fill('mine')
    await client.blur()
    await page.getByRole('button', { name: 'Fail with 400' }).click()
    await page.getByText('responds with 400').waitFor()
    late.resolve()
    await (await early).finished()
    // The page has handled it after another response and two frames.
    await page.evaluate(
      "fetch('health').then(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))",
    )
    expect(await page.getByText('responds with 400').count()).toBe(1)
  })

  test('that cut the connection or corrupt the body are reported by the form of the contract panel', async () => {
    const mock = await startMock()
    const { page } = await openConsole(mock, '#scenarios')
    for (const [name, outcome] of [
      ['Truncated body', /no response/],
      ['Malformed body', /200/],
    ] as const) {
      await page.getByRole('link', { name: 'Scenarios' }).click()
      await page.getByRole('button', { name, exact: true }).click()
      await page.getByRole('button', { name, exact: true, pressed: true }).waitFor()
      await page.getByRole('link', { name: 'Contract' }).click()
      await page.getByRole('button', { name: 'Send' }).click()
      await eventually(() => textOf(page.locator('.result'))).toMatch(outcome)
    }
  })
})
