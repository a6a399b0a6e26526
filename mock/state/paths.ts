import type { Json, Resource } from '../../spec/index.ts'
import { keyOf } from '../resources/collections.ts'

/** The path of the collection that resources are in: `/shops/7/orders`. `outer`: the names around it. */
export const collectionPath = ({ shape }: Resource, outer: readonly Json[]): string => {
  let index = 0
  return shape
    .slice(0, shape.lastIndexOf('/{}'))
    .replace(/\{\}/g, () => encodeURIComponent(keyOf(outer[index++] ?? '')))
}

/** The names around the resources of a collection, if this is the path of one; null: it is not. */
export const outerNames = ({ shape }: Resource, path: string): readonly string[] | null => {
  const pattern = shape
    .slice(0, shape.lastIndexOf('/{}'))
    .split('{}')
    .map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('([^/]+)')
  const match = new RegExp(`^${pattern}$`).exec(path)
  return match === null ? null : match.slice(1).map(decodeURIComponent)
}
