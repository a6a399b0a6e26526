/** Keywords that say nothing of any value, in every direction and format. */
export const annotationKeywords: readonly string[] = [
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'externalDocs',
  '$comment',
]
