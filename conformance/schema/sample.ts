import { type Json, writeJson } from '../../spec/index.ts'
import { createDemands } from './demand.ts'
import { openDocument } from './document.ts'
import { refuseEndless } from './endless.ts'
import { createJudge } from './evaluate.ts'
import { firstOpinion, knownSchema } from './first-opinion.ts'
import type { Schema } from './keywords.ts'
import { createNodes, type Node } from './node.ts'
import { oddValues } from './odd-values.ts'
import { attempt, isRefusal, type Refusal, refuse } from './refusal.ts'
import { resolved } from './resolved.ts'
import { secondOpinion } from './second-opinion.ts'
import { seededSource, shuffled } from './source.ts'

export type SampleOptions = {
  readonly kind: 'valid' | 'invalid'
  /** How many texts to give: exactly so many, again from the first where the schema has fewer values. */
  readonly count: number
  readonly seed: number
}

export type Sample = { readonly texts: readonly string[] }

const depth = 5
const extraTries = 400
const mostEndless = 4

/**
 * JSON texts that are valid, or invalid, under a schema: each is confirmed, as it is read back from its text, by two
 * validators. The same seed gives the same texts. Refuses with a reason where no such value can be shown.
 */
export const sampleSchema = async (schema: Schema, options: SampleOptions): Promise<Sample | Refusal> => {
  const node = attempt(() => nodeFor(schema, options.kind))
  if (isRefusal(node)) return node
  const plain = JSON.parse(JSON.stringify(schema)) as Schema
  const other = attempt(() => resolved(plain))
  const asked = attempt(() => firstOpinion(plain))
  const first = isRefusal(asked) && !isRefusal(other) ? attempt(() => firstOpinion(other)) : asked
  if (isRefusal(first)) return isRefusal(asked) ? asked : first
  const alsoAsked = await secondOpinion(plain)
  const second = isRefusal(alsoAsked) && !isRefusal(other) ? await secondOpinion(other) : alsoAsked
  if (isRefusal(second)) return isRefusal(alsoAsked) ? alsoAsked : second

  const wanted = options.kind === 'valid'
  const judged = new Map<string, boolean>()
  let endless = 0
  const confirms = (text: string): boolean => {
    const known = judged.get(text)
    if (known !== undefined) return known
    if (endless > mostEndless) return refuse('a validator does not come to an end on this schema')
    const read: unknown = JSON.parse(text)
    const answer = attempt(() => first(read) === wanted && second(read) === wanted)
    if (isRefusal(answer)) endless += 1
    judged.set(text, answer === true)
    return answer === true
  }
  const texts = attempt(() => collect(node, options, confirms))
  if (isRefusal(texts)) return texts
  if (texts.length === 0) return { refused: whyNone(node, judged.size, wanted) }
  return { texts: Array.from({ length: options.count }, (_, index) => texts[index % texts.length] as string) }
}

const nodeFor = (schema: Schema, kind: 'valid' | 'invalid'): Node => {
  const document = openDocument(schema, undefined, knownSchema)
  refuseEndless(document)
  const judge = createJudge(document, false)
  const demands = createDemands()
  const nodes = createNodes(document, demands, judge, false)
  const demand = kind === 'valid' ? demands.meet : demands.fail
  const node = nodes.node([demand(schema, document.scope)])
  // Worked out here, so that a refusal comes before any validator is asked.
  return { ...node, height: node.height, complete: node.complete }
}

const collect = (
  node: Node,
  { count, seed }: SampleOptions,
  confirms: (text: string) => boolean,
): readonly string[] => {
  const source = seededSource(seed)
  const texts = new Set<string>()
  const take = (value: Json | undefined): void => {
    if (value === undefined || texts.size >= count) return
    const text = writeJson(value)
    if (confirms(text)) texts.add(text)
  }
  if (Number.isFinite(node.height)) {
    const nesting = Math.max(depth, node.height)
    for (const value of shuffled(source, node.edges(2)).slice(0, Math.ceil(count / 4))) take(value)
    const tries = count * 3 + extraTries
    for (let attempts = 0; attempts < tries && texts.size < count; attempts += 1) {
      // A small schema is soon exhausted: no use to draw the same values again and again.
      if (attempts > extraTries && texts.size < attempts / 100) break
      take(node.draw(source, nesting))
    }
  }
  if (texts.size === 0) for (const value of oddValues) take(value)
  return [...texts]
}

const whyNone = (node: Node, judged: number, wanted: boolean): string => {
  if (!Number.isFinite(node.height) && node.complete)
    return wanted
      ? 'no value is valid: the schema contradicts itself, or nests without an end'
      : 'every value is valid'
  return judged > oddValues.length
    ? `the validators agree on no value that is ${wanted ? 'valid' : 'invalid'}, of ${judged} tried`
    : `no ${wanted ? 'valid' : 'invalid'} value was found`
}
