/** Looks at a value from outside: null where it fits, else the pointer of the first thing wrong and what is. */
export type Shape = (value: unknown, at: string) => string | null

const wrong = (at: string, wanted: string): string => `${at === '' ? 'it' : at} is not ${wanted}`

export const text: Shape = (value, at) => (typeof value === 'string' ? null : wrong(at, 'a string'))
export const number: Shape = (value, at) => (typeof value === 'number' ? null : wrong(at, 'a number'))
export const truth: Shape = (value, at) => (typeof value === 'boolean' ? null : wrong(at, 'true or false'))

export const oneOf =
  (...allowed: readonly string[]): Shape =>
  (value, at) =>
    allowed.some(word => word === value) ? null : wrong(at, allowed.join(', '))

export const orNull =
  (shape: Shape): Shape =>
  (value, at) =>
    value === null ? null : shape(value, at)

/** May be left out. */
export const maybe =
  (shape: Shape): Shape =>
  (value, at) =>
    value === undefined ? null : shape(value, at)

export const listOf =
  (shape: Shape): Shape =>
  (value, at) =>
    Array.isArray(value)
      ? first(value.map((item, index) => () => shape(item, `${at}/${index}`)))
      : wrong(at, 'a list')

/** Two texts: the name and value of a header field. */
export const pair: Shape = (value, at) => {
  const problem = listOf(text)(value, at)
  return problem ?? ((value as readonly string[]).length === 2 ? null : wrong(at, 'a name and a value'))
}

/** At least these members; more are let through, as a newer writer may add some. */
export const record =
  (members: Readonly<Record<string, Shape>>): Shape =>
  (value, at) =>
    isRecord(value)
      ? first(
          Object.entries(members).map(
            ([name, shape]) =>
              () =>
                shape(value[name], `${at}/${name}`),
          ),
        )
      : wrong(at, 'an object')

export const mapOf =
  (shape: Shape): Shape =>
  (value, at) =>
    isRecord(value)
      ? first(Object.keys(value).map(name => () => shape(value[name], `${at}/${name}`)))
      : wrong(at, 'an object')

/** A tagged union: the shape is chosen by the member `tag`. */
export const choice =
  (tag: string, shapes: Readonly<Record<string, Shape>>): Shape =>
  (value, at) => {
    if (!isRecord(value)) return wrong(at, 'an object')
    const kind = value[tag]
    const shape = typeof kind === 'string' && Object.hasOwn(shapes, kind) ? shapes[kind] : undefined
    return shape === undefined ? wrong(`${at}/${tag}`, Object.keys(shapes).join(', ')) : shape(value, at)
  }

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const first = (checks: readonly (() => string | null)[]): string | null => {
  for (const check of checks) {
    const problem = check()
    if (problem !== null) return problem
  }
  return null
}
