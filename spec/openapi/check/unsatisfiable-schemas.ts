import { type Pointer, step } from '../../json/pointer.ts'
import { createContradicted } from '../discriminators/extensions.ts'
import { contradictionIn } from '../unsatisfiable/contradictions.ts'
import { repeatedAlternatives } from '../unsatisfiable/repeated-alternatives.ts'
import type { MutableNode } from '../walk-references.ts'
import type { Warn } from './findings.ts'

/** Warns of schemas that no value fits, or that no value fits in the way that is meant. */
export const warnOfUnsatisfiable = (
  document: MutableNode,
  schemas: ReadonlyMap<MutableNode, Pointer>,
  warn: Warn,
): void => {
  const contradicted = createContradicted(document)
  for (const [schema, at] of schemas) {
    const repeated = schema.discriminator === undefined ? repeatedAlternatives(document, schema.oneOf) : []
    for (const [index, first] of repeated)
      warn(
        `the alternatives ${first + 1} and ${index + 1} of oneOf are the same, so that no value fits exactly one: a response need fit only one of them`,
        step(step(at, 'oneOf'), index),
      )
    const message = contradicted(schema)
    if (message !== null) warn(message, step(at, 'discriminator'))
  }
  for (const [schema, at] of schemas) {
    const [type, ...opposed] = contradictionIn(document, schema)
    if (type !== undefined)
      warn(
        `no value meets both ${type} and ${opposed.join(' and ')}: a response may have any value here, and a request has none`,
        step(at, opposed[0] ?? type),
      )
  }
}
