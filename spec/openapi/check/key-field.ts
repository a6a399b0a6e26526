const headerName = /^([\w!#$%&'*+.^`|~-]+)(?:: *([\w!#$%&'*+.^`|~-]+))?$/
const cookieName = /^([\w!#$%&'*+.^`|~-]+)$/

/** The name of a header, cookie or parameter that has an API key; `template`: what is sent, with `{}` for the key. */
export type KeyField = { readonly key: string; readonly template?: string }

/**
 * Where an API key is sent. Documents write the word before the key into the name of the header, as in `Authorization: Bearer`. Null: no
 * request can have a header or a cookie of this name.
 */
export const keyField = (name: string, place: string): KeyField | null => {
  if (place === 'query') return { key: name }
  const [, key, word] = (place === 'header' ? headerName : cookieName).exec(name) ?? []
  if (key === undefined) return null
  return word === undefined ? { key } : { key, template: `${word} {}` }
}

/** What is wrong with the name of an API key; null if nothing is. */
export const keyNameProblem = (name: string, place: string): string | null => {
  const field = keyField(name, place)
  if (field === null) return `name must be the name of a ${place}, so the scheme is not supported`
  return field.template === undefined
    ? null
    : `name must be the name of a header: it is read as the header ${field.key} with "${field.template.replace(' {}', '')}" before the key`
}
