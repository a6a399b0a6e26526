/** A cause says where it does not show: who mends it sees that it is not everywhere. */
import { expect, test } from 'vitest'
import { reports } from '../../../reports/index.ts'
import { type Answer, type Asked, createInstance, shown, verifyAnswering } from '../judge/answering.ts'

const properties = { name: { type: 'string' }, tag: { type: 'string' }, size: { type: 'integer' } }
const instance = { type: 'object', required: ['name', 'tag', 'size'], properties }
const document = createInstance(instance, { 201: shown({}), 400: shown({}) })

/** Takes null for these properties, and nothing else that is wrong. */
const takingNullFor =
  (lenient: readonly string[]) =>
  ({ body }: Asked): Answer => {
    let value: Record<string, unknown>
    try {
      value = JSON.parse(body)
    } catch {
      return { status: 400, body: {} }
    }
    const isRight = (name: string, test: (given: unknown) => boolean): boolean =>
      (value?.[name] === null && lenient.includes(name)) || test(value?.[name])
    const isText = (given: unknown): boolean => typeof given === 'string'
    const isTaken = isRight('name', isText) && isRight('tag', isText) && isRight('size', Number.isInteger)
    return isTaken ? { status: 201, body: {} } : { status: 400, body: {} }
  }

const onlyNull = { only: ['createThing/request/body/*/type/null'] }

test('null is accepted at one place, and rejected at the two others', async () => {
  const ledger = await verifyAnswering(document, takingNullFor(['tag']), onlyNull)
  const [finding, ...others] = ledger.findings
  expect(others).toEqual([])
  expect(finding?.cause).toMatchObject({
    title: 'accepted null in place of other types',
    exceptions: { count: 2, places: ['createThing: `name`', 'createThing: `size`'] },
  })
  expect(reports.terminal.write(ledger)).toContain(
    'rejected, as it should be, at 2 other places: createThing: `name`, createThing: `size`',
  )
})

test('what is accepted everywhere has no exceptions', async () => {
  const { findings } = await verifyAnswering(document, takingNullFor(['name', 'tag', 'size']), onlyNull)
  expect(findings.length).toBeGreaterThan(0)
  for (const { cause } of findings) expect(cause?.exceptions).toBeUndefined()
})
