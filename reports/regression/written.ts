/** What tests of all tools are written with. */
import type { RegressionTest } from './regression-test.ts'

export const urlVariable = 'PLANTSTORE_URL'
export const tokenVariable = 'PLANTSTORE_TOKEN'

/** The base without a slash at its end, as targets begin with one. */
export const baseOf = ({ base }: RegressionTest): string => base.replace(/\/$/, '')

/** Whether a request has a variable, such as `basic`. */
export const uses = ({ request, steps }: RegressionTest, name: string): boolean =>
  JSON.stringify([request, steps]).includes(`{{${name}}}`)

/** The lines that define the token, and the token in base64, as far as a test needs them. */
export const tokenLines = (test: RegressionTest, token: string, basic: string): string =>
  [
    uses(test, 'token') || uses(test, 'basic') ? `${token}\n` : '',
    uses(test, 'basic') ? `${basic}\n` : '',
  ].join('')

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

export const variable = /\{\{(token|basic|created\d+)\}\}/g
