import {
  type Contract,
  childPlace,
  type DeclaredResponse,
  isArray,
  isObject,
  type Json,
  mediaFor,
  parentOf,
  placesOf,
  type SchemaPlace,
  step,
  typeOf,
} from '../../spec/index.ts'

/** The places of a body that were seen, with the types of their values: `/tags/*` → string. All properties that are not declared are one. */
export type Shape = ReadonlyMap<string, ReadonlySet<string>>

const undeclared = '(undeclared)'

/** Adds the places of one body to those of others. */
export const addShape = (
  shape: Map<string, Set<string>>,
  value: Json,
  place: SchemaPlace | null,
  at = '',
): void => {
  const types = shape.get(at) ?? new Set()
  shape.set(at, types.add(typeOf(value)))
  if (isArray(value)) {
    const items = place === null ? null : childPlace(place, '*')
    for (const item of value) addShape(shape, item, items, `${at}/*`)
  }
  if (!isObject(value)) return
  for (const [name, each] of Object.entries(value)) {
    const child = place === null ? null : childPlace(place, name)
    const isNamed = place === null || place.properties.includes(name)
    addShape(shape, each, child, isNamed ? step(at, name) : `${at}/${undeclared}`)
  }
}

/** What the contract says of the body of a response; null if it says nothing. */
export const placeOfBody = (
  { document }: Contract,
  declared: DeclaredResponse | null,
  contentType: string | null,
): SchemaPlace | null => {
  const [media] = mediaFor(declared?.media ?? [], contentType)
  return media?.schema == null ? null : placesOf(document, media.schema)
}

/** The parts of a shape that another one lacks, `/tag (string)`. What is inside of something that the other lacks is not told again. */
export const partsBeyond = (
  shape: Shape,
  other: Shape,
): readonly (readonly [place: string, type: string])[] =>
  [...shape].flatMap(([place, types]) => {
    const parent = parentOf(place)
    if (!other.has(parent)) return []
    return [...types].filter(type => other.get(place)?.has(type) !== true).map(type => [place, type] as const)
  })
