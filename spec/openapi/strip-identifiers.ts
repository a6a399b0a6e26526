import { type MutableNode, walkReferences } from './walk-references.ts'

/** Maps of schemas: their members have names that the author chose, and `$id` is one of them. */
const ofSchemas = new Set(['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'])

/**
 * Takes the names of resources and anchors out of a document whose references are all pointers: a validator would look up pointers relative to
 * them, and mind two of a name.
 */
export const stripIdentifiers = (document: MutableNode): void => {
  const drop = (node: object, key: string): void => {
    if (ofSchemas.has(key)) return
    for (const name of ['$id', '$anchor', '$dynamicAnchor']) delete (node as MutableNode)[name]
  }
  drop(document, '')
  walkReferences(document, '', () => {}, drop)
}
