import { localReference, valueAt } from '../json/pointer.ts'

/** The `$ref`s of a document. */
export type References = {
  /** Those to a place in the document itself, each once. */
  readonly local: ReadonlySet<string>
  /** Whether any refers to another document, or a schema has an `$id`, which references are relative to. */
  readonly outside: boolean
}

export const referencesOf = (document: unknown): References => {
  const local = new Set<string>()
  let outside = false
  const visit = (node: object): void => {
    for (const [key, value] of Object.entries(node)) {
      if (typeof value === 'object' && value !== null) visit(value)
      else if (typeof value !== 'string') continue
      else if (key === '$id') outside = true
      else if (key !== '$ref') continue
      else if (value.startsWith('#')) local.add(value)
      else outside = true
    }
  }
  if (typeof document === 'object' && document !== null) visit(document)
  return { local, outside }
}

/** The local references that cannot be resolved; those to an `$anchor` are ignored. */
export const deadReferences = (document: unknown, { local }: References): readonly string[] =>
  [...local].filter(reference => {
    try {
      const pointer = localReference(reference)
      return pointer !== null && valueAt(document, pointer) === undefined
    } catch {
      return true
    }
  })
