/**
 * The settings that the environment may give, with their variables. There is no variable for each flag: if a Kubernetes service is
 * called plantstore, every container has PLANTSTORE_PORT and the like, with another meaning.
 */
const variables: ReadonlyMap<string, string> = new Map([
  ['url', 'PLANTSTORE_URL'],
  ['token', 'PLANTSTORE_TOKEN'],
  ['otherToken', 'PLANTSTORE_OTHER_TOKEN'],
  ['spec', 'PLANTSTORE_SPEC'],
  ['seed', 'PLANTSTORE_SEED'],
  ['cases', 'PLANTSTORE_CASES'],
  ['out', 'PLANTSTORE_OUT'],
  ['config', 'PLANTSTORE_CONFIG'],
])

/** How a file names a variable: `${STAGING_TOKEN}`; the group is the name. */
export const reference = '\\$\\{([A-Za-z_][A-Za-z0-9_]*)\\}'

/** The secret of an OAuth client, which no flag and no file gives; null if there is none. */
export const oauthClientSecret = (): string | null => {
  const secret = process.env.PLANTSTORE_OAUTH_CLIENT_SECRET
  return secret === undefined || secret === '' ? null : secret
}

/** The secret of a security scheme, by its name in the environment: `PLANTSTORE_SECRET_API_KEY`; null if there is none. */
export const schemeSecret = (variable: string): string | null => {
  const secret = process.env[variable]
  return secret === undefined || secret === '' ? null : secret
}

/** The secrets of all security schemes that the environment has, by what follows the prefix in the variable: `API_KEY`. */
export const schemeSecrets = (prefix: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      name.startsWith(prefix) && value !== undefined && value !== ''
        ? [[name.slice(prefix.length), value]]
        : [],
    ),
  )

/** Whether a CI system runs the command. */
export const isCi = (): boolean => !['', '0', 'false', undefined].includes(process.env.CI)

/** The variables by which CI systems name a run; all jobs of the run have the same value. */
const ciRunVariables = [
  'GITHUB_RUN_ID',
  'CI_PIPELINE_ID',
  'BUILDKITE_BUILD_ID',
  'CIRCLE_WORKFLOW_ID',
  'BUILD_BUILDID',
  'BUILD_TAG',
]

/** What identifies the run of the CI system; undefined outside of one. */
export const ciRun = (): string | undefined =>
  ciRunVariables.map(name => process.env[name]).find(value => value !== undefined && value !== '')

export type Variable = { readonly name: string; readonly value: string }

/** The variable that gives a setting; null if there is none, or it is empty. */
export const variableOf = (setting: string): Variable | null => {
  const name = variables.get(setting)
  const value = name === undefined ? undefined : process.env[name]
  return name === undefined || value === undefined || value === '' ? null : { name, value }
}

/** Replaces each `${NAME}` by its value in the environment, and lists the names. Throws if one is not set. */
export const expand = (text: string): { readonly text: string; readonly names: readonly string[] } => {
  const names: string[] = []
  const expanded = text.replace(new RegExp(reference, 'g'), (_, name: string) => {
    const value = process.env[name]
    if (value === undefined || value === '') throw new Error(`${name} is not set in the environment`)
    names.push(name)
    return value
  })
  return { text: expanded, names }
}
