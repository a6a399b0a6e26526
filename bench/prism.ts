/**
 * How much of the mock's answers is of Prism: `npm run bench:prism [-- DOCUMENT…]`. Asks for each operation once, and compares the body with
 * the samples that Prism makes of the same response. Default: the documents of this repository.
 */
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { samplesOf } from '../mock/console/samples/samples.ts'
import { compiledOperation, compiledResponse } from '../mock/engine/engine.ts'
import { createHandler } from '../mock/index.ts'
import { buildMock } from '../mock/mounts/build.ts'
import { settingsOf } from '../mock/mounts/options.ts'
import { fillToken, isArray, isObject, type Json, parseJson, responseFor, writeJson } from '../spec/index.ts'
import { table } from './page.ts'

const variants = 8
const token = 'right'
const documents = process.argv.slice(2)

/** Each value of a body that has no parts, with its place; the items of a list are at one place. */
const leavesOf = (value: Json, at = ''): readonly (readonly [at: string, text: string])[] => {
  if (isArray(value)) return value.flatMap(item => leavesOf(item, `${at}/*`))
  if (isObject(value))
    return Object.entries(value).flatMap(([name, member]) => leavesOf(member, `${at}/${name}`))
  return [[at, writeJson(value)]]
}

type Counts = {
  answers: number
  samples: number
  valid: number
  places: number
  known: number
  values: number
  sent: number
  kept: number
}

const measured = async (file: string): Promise<Counts> => {
  const options = { contract: file, warn: () => {} }
  const built = await buildMock(settingsOf(options))
  const [document] = built.admin.documents()
  if (document === undefined) throw new Error('there is no document')
  const { engine } = document
  const mock = await createHandler(options)
  const counts: Counts = {
    answers: 0,
    samples: 0,
    valid: 0,
    places: 0,
    known: 0,
    values: 0,
    sent: 0,
    kept: 0,
  }
  for (const operation of engine.contract.operations) {
    const { unauthenticated } = engine
    const [sample] = await samplesOf({
      contract: engine.contract,
      engine,
      operation,
      unauthenticated,
      obligations: [],
      token,
    })
    // No Request of the Fetch API may be a TRACE.
    if (sample === undefined || sample.title.startsWith('incomplete') || operation.method === 'TRACE')
      continue
    const target = fillToken(sample.target, encodeURIComponent(token))
    const headers = sample.headers.map(([name, value]): [string, string] => [name, fillToken(value, token)])
    const response = await mock(
      new Request(`http://mock.test${target}`, {
        method: operation.method,
        headers,
        body: sample.body as string | null,
      }),
    )
    const declared = responseFor(operation, response.status)
    const text = await response.text()
    if (!response.ok || declared === null || !/json/.test(response.headers.get('content-type') ?? ''))
      continue
    counts.answers += 1
    const { validate } = compiledResponse(engine, compiledOperation(engine, operation), declared)
    const made = await Promise.all(
      Array.from({ length: variants }, (_, seed) =>
        engine.sampler(operation, declared, response.status, 'document', seed).catch(() => null),
      ),
    )
    const bodies = made.flatMap(each => (each?.body === undefined ? [] : [each.body]))
    counts.samples += made.length
    counts.valid += bodies.filter(body => validate === null || validate(body).length === 0).length
    const ofPrism = new Map<string, Set<string>>()
    for (const [at, value] of bodies.flatMap(body => leavesOf(body)))
      ofPrism.set(at, (ofPrism.get(at) ?? new Set()).add(value))
    const request = `${decodeURIComponent(target)} ${sample.body === null ? '' : String(sample.body)}`
    const leaves = leavesOf(parseJson(text))
    const places = new Set(leaves.map(([at]) => at))
    counts.places += places.size
    counts.known += [...places].filter(at => ofPrism.has(at)).length
    for (const [at, value] of leaves) {
      const isSent = value.length > 4 && request.includes(value.replace(/^"|"$/g, ''))
      counts.values += 1
      if (isSent) counts.sent += 1
      else if (ofPrism.get(at)?.has(value) === true) counts.kept += 1
    }
  }
  return counts
}

const own = [
  'spec/openapi/*.openapi.yaml',
  'examples/shop/*.openapi.yaml',
  'tests/documents/**/*.openapi.{yaml,json}',
  'tests/state/*.openapi.yaml',
]
const share = (part: number, whole: number): string =>
  `${part} of ${whole} (${Math.round((100 * part) / Math.max(1, whole))} %)`
const rows: string[][] = []
const all: Counts[] = []
for (const file of documents.length > 0 ? documents : globSync(own).sort()) {
  const counts = await measured(file)
  all.push(counts)
  rows.push(rowOf(basename(file), counts))
}
const sum = all.reduce(
  (left, right) =>
    Object.fromEntries(
      Object.entries(left).map(([name, count]) => [name, count + right[name as keyof Counts]]),
    ) as Counts,
)
rows.push(rowOf('all', sum))
process.stdout.write(
  `${table(['document', 'answers', "Prism's samples that conform", 'places that Prism fills', 'values sent', "values of Prism's"], rows)}\n`,
)

function rowOf(
  name: string,
  { answers, samples, valid, places, known, values, sent, kept }: Counts,
): string[] {
  return [
    name,
    String(answers),
    share(valid, samples),
    share(known, places),
    share(sent, values),
    share(kept, values),
  ]
}
process.exit()
