import { step } from '../json/pointer.ts'
import { placeOf, type SchemaPlace } from './locations.ts'

/** The declared properties of an object whose schema names their types. */
export const typedProperties = (root: SchemaPlace): readonly SchemaPlace[] =>
  root.types?.join() === 'object'
    ? root.properties.flatMap(name => {
        const place = placeOf(root, step('', name))
        return place?.types == null ? [] : [place]
      })
    : []
