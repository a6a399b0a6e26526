import { type Json, placeOf, plainValue, setAt, step } from '../../../spec/index.ts'
import type { RequestSpec } from '../case.ts'
import { labelOf } from '../correlation-label.ts'
import type { OperationModel } from '../operation-model.ts'
import { withAllOptional } from '../with-optional.ts'

/** The request with all that is optional, and with items and properties in its lists and objects, so that losing them shows. */
export const withRichBody = (model: OperationModel, spec: RequestSpec, number: number): RequestSpec =>
  edited(model, withAllOptional(model, spec, number), (name, value) => {
    const place = model.body === null ? null : placeOf(model.body.root, step('', name))
    if (place === null || place.children.length === 0) return []
    const label = labelOf(number, 'optional')
    const whole = place.children.reduce<Json>(
      (rest, child) =>
        child.pattern.endsWith('/*')
          ? plainValue(place, child.pattern, label)
          : setAt(rest, child.pattern.slice(place.pattern.length), plainValue(child, null, label)),
      value,
    )
    return [whole, ...place.children.map(child => plainValue(place, child.pattern, label))]
  })

/** The request with zero, false and empty values where they are valid: some servers take them for absent. */
export const withFalsyBody = (model: OperationModel, spec: RequestSpec, number: number): RequestSpec =>
  edited(model, withAllOptional(model, spec, number), name =>
    spec.renewable && name === model.identity?.name ? [] : [0, false, ''],
  )

/** The request with texts that servers trim, fold or store in another encoding, and with numbers that they round or cut. */
export const withDelicateBody = (model: OperationModel, spec: RequestSpec, number: number): RequestSpec =>
  edited(model, withAllOptional(model, spec, number), (name, value) => {
    if (spec.renewable && name === model.identity?.name) return []
    if (typeof value === 'string') return delicateTexts
    const place = model.body === null ? null : placeOf(model.body.root, step('', name))
    const most = place?.keywords.find(({ keyword }) => keyword === 'maximum')?.value
    return [...(typeof most === 'number' ? [most - 0.5, most] : []), ...delicateNumbers]
  })

const delicateTexts = [' It’s Ünï, Aa ', ' Ü A,a ', 'ÜAa', 'Aa']
/** Beyond 32 and 16 bits. */
const delicateNumbers = [3_000_000_000.5, 3_000_000_000, 70_000.5, 70_000, 0.5]

/** The request with the first of these values in each property that leaves the body valid. */
const edited = (
  model: OperationModel,
  spec: RequestSpec,
  valuesOf: (name: string, value: Json) => readonly Json[],
): RequestSpec => {
  const { body } = spec
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return spec
  return {
    ...spec,
    body: Object.entries(body).reduce<Json>((rest, [name, value]) => {
      const changed = valuesOf(name, value as Json).map(other => setAt(rest, step('', name), other))
      return changed.find(model.isValidBody) ?? rest
    }, body as Json),
  }
}
