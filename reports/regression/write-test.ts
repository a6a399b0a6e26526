/** Regression tests in the form of other tools: each is a file of its own that needs nothing of ours. */
import type { TestFormat } from '../defaults.ts'
import {
  accessTo,
  allowedText,
  baseOf,
  conditionIn,
  playwright,
  tokenVariable,
  urlVariable,
  uses,
  vitest,
} from './javascript.ts'
import { pytest } from './python.ts'
import type { RegressionTest, TestRequest, TestStep } from './regression-test.ts'

/** Files of HTTP clients, which run scripts of their own. */

/** The token in base64, for HTTP Basic: these files cannot encode it. */
const basicVariable = `${tokenVariable}_BASE64`

const withVariables = (text: string): string =>
  text.replaceAll('{{token}}', `{{${tokenVariable}}}`).replaceAll('{{basic}}', `{{${basicVariable}}}`)

/** The value that a script keeps of a response. */
const keptIn = ({ at }: NonNullable<TestStep['keeps']>, body: string, location: string): string =>
  at === 'location' ? `${location}.split('/').at(-1)` : `${body}${accessTo(at)}`

const httpRequest = ({ method, target, headers, body }: TestRequest): string =>
  `${method} {{${urlVariable}}}${withVariables(target)}
${headers.map(([name, value]) => `${name}: ${withVariables(value)}`).join('\n')}
${body === null ? '' : `\n${withVariables(body.data)}\n`}`

const httpStep = (step: TestStep, index: number): string => {
  const { keeps } = step
  const script =
    keeps === null
      ? ''
      : `
> {%
  client.global.set(${JSON.stringify(keeps.as)}, ${keptIn(keeps, 'response.body', `response.headers.valueOf('Location')`)})
%}
`
  return `### before: ${index + 1}
${httpRequest(step)}${script}
`
}

/** Only tools that run scripts check the status. */
const http = (test: RegressionTest): string => `@${urlVariable} = ${baseOf(test)}

${test.steps.map(httpStep).join('')}### ${test.title}
${test.about.map(line => `# ${line}`).join('\n')}
# may be answered by ${allowedText(test)}
${httpRequest(test.request)}
> {%
  client.test(${JSON.stringify(test.title)}, () => {
    const { status } = response
    client.assert(${conditionIn(test, '&&', '||')}, status + ' is not ${allowedText(test)}')
  })
%}
`

const postmanItem = (name: string, request: TestRequest, script: readonly string[]): object => ({
  name,
  event: script.length === 0 ? [] : [{ listen: 'test', script: { type: 'text/javascript', exec: script } }],
  request: {
    method: request.method,
    url: `{{${urlVariable}}}${withVariables(request.target)}`,
    header: request.headers.map(([key, value]) => ({ key, value: withVariables(value) })),
    ...(request.body === null ? {} : { body: { mode: 'raw', raw: withVariables(request.body.data) } }),
  },
})

const postman = (test: RegressionTest): string => {
  const script = [
    `pm.test(${JSON.stringify(test.title)}, () => {`,
    '  const status = pm.response.code',
    `  pm.expect(${conditionIn(test, '&&', '||')}, status + ' is not ${allowedText(test)}').to.be.true`,
    '})',
  ]
  const before = test.steps.map((step, index) => {
    const { keeps } = step
    const kept =
      keeps === null ? null : keptIn(keeps, 'pm.response.json()', `pm.response.headers.get('Location')`)
    return postmanItem(
      `before: ${index + 1}`,
      step,
      kept === null ? [] : [`pm.collectionVariables.set(${JSON.stringify(keeps?.as)}, ${kept})`],
    )
  })
  const collection = {
    info: {
      name: test.title,
      description: test.about.join('\n'),
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [
      { key: urlVariable, value: baseOf(test) },
      { key: uses(test, 'basic') ? basicVariable : tokenVariable, value: '' },
    ],
    protocolProfileBehavior: { followRedirects: false },
    item: [...before, postmanItem(test.title, test.request, script)],
  }
  return `${JSON.stringify(collection, null, 2)}\n`
}

export const writeTest = (format: TestFormat, test: RegressionTest): string => writers[format](test)

const writers: Readonly<Record<TestFormat, (test: RegressionTest) => string>> = {
  vitest,
  playwright,
  pytest,
  http,
  postman,
}
