import { annotationKeywords } from '../../schema/annotations.ts'

// Also keywords whose requirement is that of another one: `then` and `else` of `if`, `minContains` of `contains`.
const annotations = new Set([
  ...annotationKeywords,
  'readOnly',
  'writeOnly',
  'discriminator',
  'xml',
  'nullable',
  '$id',
  '$schema',
  '$anchor',
  '$dynamicAnchor',
  '$defs',
  'definitions',
  '$vocabulary',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  'properties',
  'items',
  'prefixItems',
  'patternProperties',
  'then',
  'else',
  'minContains',
  'maxContains',
])

/** Whether a keyword has no requirement of its own. */
export const isAnnotation = (keyword: string): boolean => annotations.has(keyword) || keyword.startsWith('x-')
