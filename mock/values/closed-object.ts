import { asNode, type DocumentNode } from '../../spec/index.ts'

/** Keywords by which a schema says itself which other properties there are, or how many. */
const aboutOthers = ['patternProperties', 'propertyNames', 'minProperties', 'unevaluatedProperties']

/**
 * A schema of an object without room for properties that it does not declare: Prism gives those names of its own
 * (`velit__50`). Maps, which declare no properties, stay as they are.
 */
export const closedObject = (schema: DocumentNode): DocumentNode => {
  const names = Object.keys(asNode(schema.properties))
  const { additionalProperties = true, required = [] } = schema
  const isAnything = additionalProperties === true || Object.keys(asNode(additionalProperties)).length === 0
  const isOpen =
    names.length > 0 &&
    isAnything &&
    aboutOthers.every(keyword => !Object.hasOwn(schema, keyword)) &&
    (required as readonly string[]).every(name => names.includes(name))
  return isOpen ? { ...schema, additionalProperties: false } : schema
}
