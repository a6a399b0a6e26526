import { expect, test } from 'vitest'
import { libraryDocument } from '../../documents/index.ts'
import { plantstore, type Ran } from '../command.ts'

const wait = 60_000

const explain = async (id: string, ...flags: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await plantstore(['explain', id, ...flags])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

test(
  'an obligation is told with its clause, its place, its requests, a kept and a broken answer',
  async () => {
    const text = await explain('createPlant/request/body/id/type/numeral')
    for (const part of [
      /^createPlant\/request\/body\/id\/type\/numeral\nMUST · refuse\n/,
      /^ {2}promise {6}a number in quotation marks as `id` instead of an integer is rejected with a declared failure$/m,
      /^ {2}clause {7}.*plant-store\.openapi\.yaml:57 · Resources and their fields, NewPlant$/m,
      /^ {15}> 57 \| {15}type: integer$/m,
      /^ {2}rests on {5}new-plant\/id · Resources and their fields, NewPlant$/m,
      /^ {17}“id: integer, int64, required\. Identification number of the plant\.”$/m,
      /^ {2}tested {7}A valid request but for one value that breaks `type`.* a declared failure\.$/m,
      /^ {15}\d+ cases in a run of 1,000 cases \(the default\); there is no end of different ones\.$/m,
      /^ {2}for example {2}POST \/plants \{"id":"1","name":/m,
      /^ {2}kept {9}400 application\/json \{"error":21,.*\n {15}for POST \/plants \{"id":"/m,
      /^ {2}broken {7}200 application\/json .*\n {15}for POST \/plants \{"id":"/m,
      /^ {15}wanted 400, a declared failure$/m,
    ])
      expect(text).toMatch(part)
  },
  wait,
)

test(
  'an open question has no broken answer, but what another server says',
  async () => {
    const text = await explain('createPlant/unspecified/duplicate-id')
    expect(text).toContain('recorded and never judged')
    expect(text).toMatch(/^ {2}kept {9}the mock: accepted \(200\)$/m)
    expect(text).toMatch(/^ {2}broken {7}nothing breaks it; another server: refused \(400 error 23\)$/m)
  },
  wait,
)

test(
  'as JSON, for an answer of a document without a rules file',
  async () => {
    const { stdout } = (await plantstore([
      'obligations',
      '--spec',
      libraryDocument,
      '--format',
      'json',
    ])) as Ran
    const id = (JSON.parse(stdout) as readonly { id: string }[]).find(each =>
      /response\/2\d\d\/body\/.*type$/.test(each.id),
    )?.id
    const told = JSON.parse(await explain(id as string, '--spec', libraryDocument, '--format', 'json'))
    expect(told).toMatchObject({ obligation: { id, family: 'response' }, defaultCases: 1000 })
    expect(told.obligation).not.toHaveProperty('subject')
    expect(told.clauses[0].id).toMatch(/^#\//)
    expect(told.cases).toBeGreaterThan(0)
    expect(told.kept.outcome.status).toBeLessThan(300)
    expect(told.broken.got).not.toBe('')
  },
  wait,
)

test(
  'what the mock cannot break is told with the reason',
  async () => {
    const { stdout } = await plantstore(['obligations', '--wire', '--format', 'json'])
    const id = (JSON.parse(stdout) as readonly { id: string; family: string }[]).find(
      ({ family }) => family === 'wire',
    )?.id
    const text = await explain(id as string)
    expect(text).toContain('  broken       the mock cannot break it: HTTP itself is not the engine’s\n')
    expect(text).toMatch(/^ {2}for example {2}raw bytes: /m)
  },
  wait,
)

test('an unknown id is refused with the nearest ones', async () => {
  const { code, stdout, stderr } = await plantstore(['explain', 'createPlant/auth/absnt'])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(
    /^plantstore: the contract has no obligation createPlant\/auth\/absnt: did you mean createPlant\/auth\/absent\? plantstore obligations lists them\n$/,
  )
})
