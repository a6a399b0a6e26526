import { type Json, writeJson } from '../../spec/index.ts'
import { createDemands } from './demand.ts'
import { openDocument } from './document.ts'
import { createDoubt } from './doubt.ts'
import { refuseEndless } from './endless.ts'
import { createJudge } from './evaluate.ts'
import { knownSchema } from './first-opinion.ts'
import type { KnownSchema, Schema } from './keywords.ts'
import { createNodes, type Node } from './node.ts'
import { oddValues } from './odd-values.ts'
import { askBoth } from './opinions.ts'
import { attempt, isRefusal, type Refusal, refuse } from './refusal.ts'
import { seededSource, shuffled } from './source.ts'

export type SampleOptions = {
  readonly kind: 'valid' | 'invalid'
  /** How many texts to give: exactly so many, again from the first where the schema has fewer values. */
  readonly count: number
  readonly seed: number
  /** Other schemas that references may lead to, by their absolute URI; nothing is ever fetched. */
  readonly documents?: Readonly<Record<string, Schema>>
}

export type Sample = { readonly texts: readonly string[] }

const depth = 5
const extraTries = 400
const mostEndless = 4
// Branches that refer to themselves make validators' work grow with a power of the nesting.
const usualLooks = 4000
const mostLooks = 100_000

/**
 * JSON texts that are valid, or invalid, under a schema: each is confirmed, as it is read back from its text, by two
 * validators. The same seed gives the same texts. Refuses with a reason where no such value can be shown.
 */
export const sampleSchema = async (schema: Schema, options: SampleOptions): Promise<Sample | Refusal> => {
  const { documents = {} } = options
  const left = { schema: false }
  const known: KnownSchema = uri => {
    if (!Object.hasOwn(documents, uri)) return knownSchema(uri)
    left.schema = true
    return documents[uri]
  }
  const subject = attempt(() => subjectOf(schema, options.kind, known))
  if (isRefusal(subject)) return subject
  const opinion = await askBoth(schema, known, left.schema)
  if (isRefusal(opinion)) return opinion

  const wanted = options.kind === 'valid'
  const judged = new Map<string, boolean | null>()
  let endless = 0
  const confirms = (text: string): boolean => {
    if (endless > mostEndless) return refuse('a validator does not come to an end on this schema')
    if (!judged.has(text)) {
      const read = JSON.parse(text) as Json
      const answer = attempt(() =>
        subject.judges.every(holds => holds(read) === wanted) ? opinion(read) : !wanted,
      )
      if (isRefusal(answer)) endless += 1
      judged.set(text, isRefusal(answer) ? null : answer)
    }
    return judged.get(text) === wanted
  }
  const texts = attempt(() => collect(subject, options, confirms, createDoubt(schema)))
  if (isRefusal(texts)) return texts
  if (texts.length === 0) return { refused: whyNone(subject.node, [...judged.values()], wanted) }
  return { texts: Array.from({ length: options.count }, (_, index) => texts[index % texts.length] as string) }
}

const subjectOf = (schema: Schema, kind: 'valid' | 'invalid', known: KnownSchema) => {
  const document = openDocument(schema, undefined, known)
  refuseEndless(document)
  // Some validators assert formats and some do not: a value has to suit both.
  const judge = createJudge(document, false)
  const judges = document.hasFormats ? [judge, createJudge(document, true)] : [judge]
  const demands = createDemands()
  const nodes = createNodes(document, demands, judges, false)
  const demand = kind === 'valid' ? demands.meet : demands.fail
  const node = nodes.node([demand(schema, document.scope)])
  // Worked out here, so that a refusal comes before any validator is asked.
  return {
    node: { ...node, height: node.height, complete: node.complete },
    judges: judges.map(
      ({ holds }) =>
        (value: Json): boolean =>
          holds(schema, document.scope, value),
    ),
    isLight: (value: Json, looks: number): boolean => judge.isLight(schema, document.scope, value, looks),
  }
}

const collect = (
  { node, isLight }: Pick<ReturnType<typeof subjectOf>, 'node' | 'isLight'>,
  { count, seed }: SampleOptions,
  confirms: (text: string) => boolean,
  doubtful: (value: Json) => boolean,
): readonly string[] => {
  const source = seededSource(seed)
  const texts = new Set<string>()
  const doubted = new Set<string>()
  let nesting = Math.max(depth, node.height)
  const take = (value: Json | undefined): void => {
    if (value === undefined || texts.size >= count) return
    const canBeLess = nesting > node.height
    if (!isLight(value, canBeLess ? usualLooks : mostLooks)) {
      if (canBeLess) nesting -= 1
      return
    }
    const text = writeJson(value)
    if (confirms(text)) (doubtful(value) ? doubted : texts).add(text)
  }
  if (Number.isFinite(node.height)) {
    for (const value of shuffled(source, node.edges(2)).slice(0, Math.ceil(count / 4))) take(value)
    const tries = count * 3 + extraTries
    for (let attempts = 0; attempts < tries && texts.size < count; attempts += 1) {
      // A small schema is soon exhausted: no use to draw the same values again and again.
      if (attempts > extraTries && texts.size < attempts / 100) break
      take(node.draw(source, nesting))
    }
  }
  if (texts.size + doubted.size === 0) for (const value of oddValues) take(value)
  return [...(texts.size > 0 ? texts : doubted)].slice(0, count)
}

const whyNone = (node: Node, judged: readonly (boolean | null)[], wanted: boolean): string => {
  const kind = wanted ? 'valid' : 'invalid'
  if (!Number.isFinite(node.height) && node.complete)
    return wanted
      ? 'no value is valid: the schema contradicts itself, or nests without an end'
      : 'every value is valid'
  const disputed = judged.filter(verdict => verdict === null).length
  return disputed > 0
    ? `Ajv and @hyperjump/json-schema contradict each other on all ${disputed} values tried that may be ${kind}`
    : `no ${kind} value was found`
}
