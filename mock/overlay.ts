import { isObject, type Json, type SchemaPlace, steps, type Validate } from '../spec/index.ts'

/** Whether every property that is due is known, so that nothing has to be made up. */
export const isWhole = (due: readonly string[], values: Json | undefined): values is Json =>
  values !== undefined && (!isObject(values) || due.every(name => Object.hasOwn(values, name)))

/** The sample with what is known in its place. What is not due and not known stays away: a tag that nobody sent is not made up. */
export const overlay = (
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
  return { ...Object.fromEntries(kept), ...values }
}

/** The bodies that can be made of a sample and what is known, the one that tells most of it first. */
export function* overlays(
  root: SchemaPlace,
  due: ReadonlySet<string>,
  validate: Validate | null,
  sample: Json | undefined,
  values: Json | undefined,
): Generator<Json | undefined> {
  const whole = overlay(root, due, sample, values)
  yield whole
  if (!isObject(values) || whole === undefined) return
  // Then without what the schema of the answer does not take.
  const wrong = new Set(validate?.(whole).map(({ at }) => steps(at)[0]))
  const rest = Object.entries(values).filter(([name]) => !wrong.has(name))
  yield overlay(root, due, sample, Object.fromEntries(rest))
  yield sample
}
