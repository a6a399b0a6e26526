import type { RegressionTest, TestRequest, TestStep } from './regression-test.ts'

/** What tests of all tools are written with. */

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

/** What the written test reads; nothing here does. */
const environment = ['process', 'env'].join('.')

/** A text as JavaScript, with the variables filled in. */
const js = (text: string, filled = (name: string): string => name): string =>
  text.search(variable) < 0
    ? JSON.stringify(text)
    : `\`${text
        .replace(/[\\`$]/g, '\\$&')
        .replaceAll('\n', '\\n')
        .replaceAll('\r', '\\r')
        .replaceAll(variable, (_, name: string) => `\${${filled(name)}}`)}\``

const jsTarget = ({ target }: TestRequest): string =>
  js(target, name => (name.startsWith('created') ? `encodeURIComponent(${name})` : name))

const jsComment = ({ about }: RegressionTest): string => about.map(line => `// ${line}`).join('\n')

const jsHead = (
  test: RegressionTest,
): string => `const base = ${environment}.${urlVariable} ?? ${JSON.stringify(baseOf(test))}
${tokenLines(test, `const token = ${environment}.${tokenVariable} ?? ''`, `const basic = Buffer.from(token).toString('base64')`)}`

/** How a tool sends a request and reads its response. */
type JsTool = {
  readonly send: string
  readonly options: string
  readonly body: string
  readonly status: (response: string) => string
  readonly location: (response: string) => string
}

const jsCall = (request: TestRequest, { send, options, body: bodyName }: JsTool): string => {
  const { method, headers, body } = request
  const lines = [
    `    ${options},`,
    `    method: ${JSON.stringify(method)},`,
    `    headers: {`,
    ...headers.map(([name, value]) => `      ${JSON.stringify(name)}: ${js(value)},`),
    '    },',
    ...(body === null
      ? []
      : [
          `    ${bodyName}: ${body.encoding === 'utf8' ? js(body.data) : `Buffer.from(${JSON.stringify(body.data)}, 'base64')`},`,
        ]),
  ]
  return `await ${send}(\`\${base}\${${jsTarget(request)}}\`, {
${lines.join('\n')}
  })`
}

const jsStep = (step: TestStep, index: number, tool: JsTool): string => {
  const { method, keeps, succeeds } = step
  const response = `response${index + 1}`
  const kept =
    keeps === null
      ? ''
      : keeps.at === 'location'
        ? `  const ${keeps.as} = decodeURIComponent(new URL(${tool.location(response)}, base).pathname.split('/').at(-1))\n`
        : `  const ${keeps.as} = (await ${response}.json())${accessTo(keeps.at)}\n`
  const status = tool.status(response)
  return `  const ${response} = ${jsCall(step, tool)}
${succeeds ? `  expect(${status} < 400, \`${method} before was answered \${${status}}\`).toBe(true)\n` : ''}${kept}`
}

const jsTest = (
  test: RegressionTest,
  from: string,
  given: string,
  tool: JsTool,
): string => `import { expect, test } from '${from}'

${jsHead(test)}
${jsComment(test)}
test(${JSON.stringify(test.title)}, async (${given}) => {
${test.steps.map((step, index) => jsStep(step, index, tool)).join('')}  const response = ${jsCall(test.request, tool)}
  const status = ${tool.status('response')}
  expect(${conditionIn(test, '&&', '||').replaceAll('==', '===')}, \`\${status} is not ${allowedText(test)}\`).toBe(true)
})
`

export const vitest = (test: RegressionTest): string =>
  jsTest(test, 'vitest', '', {
    send: 'fetch',
    options: `redirect: 'manual'`,
    body: 'body',
    status: response => `${response}.status`,
    location: response => `${response}.headers.get('location')`,
  })

export const playwright = (test: RegressionTest): string =>
  jsTest(test, '@playwright/test', '{ request }', {
    send: 'request.fetch',
    options: 'maxRedirects: 0',
    body: 'data',
    status: response => `${response}.status()`,
    location: response => `${response}.headers().location`,
  })
