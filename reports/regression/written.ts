/** What tests of all tools are written with. */
import type { RegressionTest } from './regression-test.ts'

export const urlVariable = 'PLANTSTORE_URL'
export const tokenVariable = 'PLANTSTORE_TOKEN'

/** The base without a slash at its end, as targets begin with one. */
export const baseOf = ({ base }: RegressionTest): string => base.replace(/\/$/, '')

export const usesToken = ({ request, steps }: RegressionTest): boolean =>
  JSON.stringify([request, steps]).includes('{{token}}')

export const conditionIn = ({ statuses }: RegressionTest, and: string, or: string): string =>
  statuses
    .map(([least, most]) =>
      least === most ? `status == ${least}` : `status >= ${least} ${and} status <= ${most}`,
    )
    .map(text => (statuses.length > 1 ? `(${text})` : text))
    .join(` ${or} `)

export const allowedText = ({ statuses }: RegressionTest): string =>
  statuses.map(([least, most]) => (least === most ? String(least) : `${least} to ${most}`)).join(' or ')

/** `["flow"][0]["id"]`, in JavaScript and in Python. */
export const accessTo = (path: readonly (string | number)[]): string =>
  path.map(name => `[${JSON.stringify(name)}]`).join('')

export const variable = /\{\{(token|created\d+)\}\}/g
