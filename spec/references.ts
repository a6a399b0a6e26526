import { localReference, valueAt } from './pointer.ts'

/** The `$ref`s of a document. */
export type References = {
  /** Those that name a place of the document itself, each once. */
  readonly local: ReadonlySet<string>
  /** Whether some name another document, or a schema has an address of its own that references start from. */
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

/** The local references that lead nowhere; those to an `$anchor` are not looked at. */
export const deadReferences = (document: unknown, { local }: References): readonly string[] =>
  [...local].filter(reference => {
    try {
      const pointer = localReference(reference)
      return pointer !== null && valueAt(document, pointer) === undefined
    } catch {
      return true
    }
  })
