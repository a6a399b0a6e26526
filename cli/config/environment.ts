/**
 * Settings that the environment may give, by their names. A few, and not one for each flag: where a service is called
 * plantstore, Kubernetes sets PLANTSTORE_PORT and its like in every container, and means something else.
 */
const variables: ReadonlyMap<string, string> = new Map([
  ['url', 'PLANTSTORE_URL'],
  ['token', 'PLANTSTORE_TOKEN'],
  ['spec', 'PLANTSTORE_SPEC'],
  ['seed', 'PLANTSTORE_SEED'],
  ['cases', 'PLANTSTORE_CASES'],
  ['out', 'PLANTSTORE_OUT'],
  ['config', 'PLANTSTORE_CONFIG'],
])

/** How a file names a variable: `${STAGING_TOKEN}`; the name is the group of the expression. */
export const reference = '\\$\\{([A-Za-z_][A-Za-z0-9_]*)\\}'

export type Variable = { readonly name: string; readonly value: string }

/** The variable that gives a setting; null where there is none, or it is empty. */
export const variableOf = (setting: string): Variable | null => {
  const name = variables.get(setting)
  const value = name === undefined ? undefined : process.env[name]
  return name === undefined || value === undefined || value === '' ? null : { name, value }
}

/** Text with each `${NAME}` replaced by what the environment has for it, and the names. Throws where one is not set. */
export const filledIn = (text: string): { readonly text: string; readonly names: readonly string[] } => {
  const names: string[] = []
  const filled = text.replace(new RegExp(reference, 'g'), (_, name: string) => {
    const value = process.env[name]
    if (value === undefined || value === '') throw new Error(`${name} is not set in the environment`)
    names.push(name)
    return value
  })
  return { text: filled, names }
}
