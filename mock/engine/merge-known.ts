import { isObject, type Json, type SchemaPlace, steps, type Validate } from '../../spec/index.ts'
import { inDocumentOrder } from '../values/property-order.ts'

/** Whether every property that is due is known, so that nothing has to be made up. */
export const hasAllDue = (due: readonly string[], values: Json | undefined): values is Json =>
  values !== undefined && (!isObject(values) || due.every(name => Object.hasOwn(values, name)))

/**
 * The sample with the known values in the place of its own. A property that is neither due nor known is left out: a tag
 * that nobody sent is not made up.
 */
export const merge = (
  root: SchemaPlace,
  due: ReadonlySet<string>,
  sample: Json | undefined,
  values: Json | undefined,
): Json | undefined => {
  if (values === undefined || !isObject(values)) return values ?? sample
  if (!isObject(sample)) return sample
  const kept = Object.entries(sample).filter(
    ([name]) => due.has(name) || !root.properties.includes(name) || Object.hasOwn(values, name),
  )
  const members = { ...Object.fromEntries(kept), ...values }
  return Object.fromEntries(inDocumentOrder(root, Object.entries(members)))
}

/** The bodies that a sample and the known values can make, the one with the most known values first. */
export function* mergeCandidates(
  root: SchemaPlace,
  due: ReadonlySet<string>,
  validate: Validate | null,
  sample: Json | undefined,
  values: Json | undefined,
): Generator<Json | undefined> {
  const whole = merge(root, due, sample, values)
  yield whole
  if (whole === undefined) return
  if (!isObject(values)) {
    if (sample !== whole) yield sample
    return
  }
  // Then without the values that the schema of the response does not allow.
  const wrong = new Set(validate?.(whole).map(({ at }) => steps(at)[0]))
  const rest = Object.entries(values).filter(([name]) => !wrong.has(name))
  yield merge(root, due, sample, Object.fromEntries(rest))
  yield sample
}
