import { annotationKeywords } from '../../schema/annotations.ts'
import { isCheckedFormat } from '../../schema/formats.ts'
import type { KeywordUse } from '../../schema/locations.ts'

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

/** Whether a keyword has no requirement of its own. `items: false` has one: that there are none beyond `prefixItems`. */
export const isAnnotation = ({ keyword, value }: KeywordUse): boolean =>
  (keyword === 'format' && !isCheckedFormat(String(value))) ||
  (annotations.has(keyword) && !(keyword === 'items' && value === false)) ||
  keyword.startsWith('x-')
