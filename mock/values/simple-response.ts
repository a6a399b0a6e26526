import { type Contract, type DeclaredResponse, type Json, type Pointer, parseJson } from '../../spec/index.ts'
import type { Examples } from './examples.ts'
import { simpleSample } from './simple-sample.ts'

type SimpleResponse = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json | undefined
  readonly size: number
}

/** What a response has where Prism cannot run: examples of the document and plain values. */
export const simpleResponse = (
  { responses }: Contract,
  { media, headers }: DeclaredResponse,
  examples: Examples,
  hasExamples: boolean,
  seed: string,
): SimpleResponse => {
  const exampleOf = (at: Pointer): Json | undefined => (hasExamples ? examples.ofSchema(at) : undefined)
  const sample = (schema: Pointer, name: string): unknown =>
    simpleSample(responses.document, schema, `${seed} ${name}`, exampleOf)
  const schema = media[0]?.schema ?? null
  const text = schema === null ? '' : (JSON.stringify(sample(schema, '')) ?? '')
  const lines = headers.flatMap(header =>
    header.schema === null ? [] : [[header.name, String(sample(header.schema, header.name))] as const],
  )
  return {
    headers: Object.fromEntries(lines),
    body: text === '' ? undefined : parseJson(text),
    size: text.length,
  }
}
