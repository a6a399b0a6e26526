/** Whether a document is in order: this project's own check, which knows what each fault costs, agrees with the official schemas. */
import { validate as validateOld } from '@hyperjump/json-schema/openapi-3-0'
import { validate as validateNew } from '@hyperjump/json-schema/openapi-3-1'
import { validate as validateNewest } from '@hyperjump/json-schema/openapi-3-2'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DocumentError, loadContract } from '../../../spec/index.ts'
import { writeDocument } from '../contracts.ts'
import { documentOf, type Node, placesIn } from './every-object.ts'

const values = [null, 5, 'text', true, [], {}, ['x'], { a: 1 }]

/** Takes a member out, gives it another value, or adds an unknown one. */
const changed = (openapi: string, at: readonly string[], change: number): Node => {
  const document = structuredClone(documentOf(openapi))
  const holder = at.slice(0, -1).reduce<Node>((node, name) => node[name] as Node, document)
  const name = at.at(-1) ?? ''
  const value = holder[name]
  if (change < values.length) holder[name] = structuredClone(values[change])
  else if (change === values.length && !Array.isArray(holder)) delete holder[name]
  // What is beside a `$ref` is ignored, but for the dialect of these schemas.
  else if (typeof value === 'object' && value !== null && !Array.isArray(value) && !('$ref' in value))
    (value as Node).unknown = 1
  return document
}

/** What the official schemas cannot see. */
const beyond =
  /^discriminator has a field|the document declares no operation|is not declared|is not in the path|cannot be (?:resolved|read)|is not followed|used twice|declared twice|is the same as|refers to|^no value meets both|^no value is checked against the format/

const versions = [
  ['3.0.3', await validateOld('https://spec.openapis.org/oas/3.0/schema')],
  ['3.1.0', await validateNew('https://spec.openapis.org/oas/3.1/schema-base')],
  ['3.2.0', await validateNewest('https://spec.openapis.org/oas/3.2/schema-base')],
] as const

test.each(versions)(
  'OpenAPI %s: a document with one change is in order if the official schema says so',
  async (openapi, official) => {
    const places = placesIn(documentOf(openapi), []).filter(({ length }) => length > 0)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), fc.nat(values.length + 1), async (at, change) => {
        const document = changed(openapi, at, change)
        const from = writeDocument('a.json', JSON.stringify(document))
        const problems = await loadContract({ from, strictDocument: true }).then(
          () => [],
          (error: unknown) => {
            if (error instanceof DocumentError) return error.problems.map(({ message }) => message)
            throw error
          },
        )
        const isValid = official(document as never).valid
        expect([isValid, problems]).toEqual([
          isValid,
          isValid ? problems.filter(message => beyond.test(message)) : problems,
        ])
        if (!isValid) expect(problems).not.toEqual([])
      }),
      { numRuns: 120 },
    )
  },
)
