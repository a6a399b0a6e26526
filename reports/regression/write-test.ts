/** Regression tests in the form of other tools: each is a file of its own that needs nothing of ours. */
import type { RegressionTest } from './regression-test.ts'

export const testFormats = ['vitest', 'playwright', 'pytest', 'http', 'postman'] as const
export type TestFormat = (typeof testFormats)[number]

export const writeTest = (format: TestFormat, test: RegressionTest): string => writers[format](test)

/** What the written test reads; nothing here does. */
const environment = ['process', 'env'].join('.')
const urlVariable = 'PLANTSTORE_URL'
const tokenVariable = 'PLANTSTORE_TOKEN'

/** The base without a slash at its end, as targets begin with one. */
const baseOf = ({ base }: RegressionTest): string => base.replace(/\/$/, '')

const usesToken = ({ headers, target, body }: RegressionTest): boolean =>
  JSON.stringify([headers, target, body]).includes('{{token}}')

const conditionIn = ({ statuses }: RegressionTest, and: string, or: string): string =>
  statuses
    .map(([least, most]) =>
      least === most ? `status == ${least}` : `status >= ${least} ${and} status <= ${most}`,
    )
    .map(text => (statuses.length > 1 ? `(${text})` : text))
    .join(` ${or} `)

const allowedText = ({ statuses }: RegressionTest): string =>
  statuses.map(([least, most]) => (least === most ? String(least) : `${least} to ${most}`)).join(' or ')

/** A text as JavaScript, with the token filled in. */
const js = (text: string): string =>
  text.includes('{{token}}')
    ? `\`${text
        .replace(/[\\`$]/g, '\\$&')
        .replaceAll('\n', '\\n')
        .replaceAll('\r', '\\r')
        .replaceAll('{{token}}', `\${token}`)}\``
    : JSON.stringify(text)

const jsComment = ({ about }: RegressionTest): string => about.map(line => `// ${line}`).join('\n')

const jsHead = (
  test: RegressionTest,
): string => `const base = ${environment}.${urlVariable} ?? ${JSON.stringify(baseOf(test))}
${usesToken(test) ? `const token = ${environment}.${tokenVariable} ?? ''\n` : ''}`

const jsRequest = ({ method, headers, body }: RegressionTest, bodyName: string): string => {
  const lines = [
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
  return lines.join('\n')
}

const vitest = (test: RegressionTest): string => `import { expect, test } from 'vitest'

${jsHead(test)}
${jsComment(test)}
test(${JSON.stringify(test.title)}, async () => {
  const { status } = await fetch(\`\${base}\${${js(test.target)}}\`, {
    redirect: 'manual',
${jsRequest(test, 'body')}
  })
  expect(${conditionIn(test, '&&', '||').replaceAll('==', '===')}, \`\${status} is not ${allowedText(test)}\`).toBe(true)
})
`

const playwright = (test: RegressionTest): string => `import { expect, test } from '@playwright/test'

${jsHead(test)}
${jsComment(test)}
test(${JSON.stringify(test.title)}, async ({ request }) => {
  const response = await request.fetch(\`\${base}\${${js(test.target)}}\`, {
    maxRedirects: 0,
${jsRequest(test, 'data')}
  })
  const status = response.status()
  expect(${conditionIn(test, '&&', '||').replaceAll('==', '===')}, \`\${status} is not ${allowedText(test)}\`).toBe(true)
})
`

/** A text as Python, whose strings take the escapes of JSON. */
const py = (text: string): string => {
  const written = JSON.stringify(text)
  return text.includes('{{token}}') ? `${written}.replace("{{token}}", token)` : written
}

const pytest = (test: RegressionTest): string => {
  const { method, target, headers, body, title, about } = test
  const bytes =
    body === null
      ? 'None'
      : body.encoding === 'utf8'
        ? `${py(body.data)}.encode()`
        : `base64.b64decode(${JSON.stringify(body.data)})`
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .slice(0, 80)
  return `${body?.encoding === 'base64' ? 'import base64\n' : ''}import os
import urllib.error
import urllib.request

base = os.environ.get("${urlVariable}", ${JSON.stringify(baseOf(test))})
${usesToken(test) ? `token = os.environ.get("${tokenVariable}", "")\n` : ''}

class Plainly(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


${about.map(line => `# ${line}`).join('\n')}
def test_${name}():
    request = urllib.request.Request(base + ${py(target)}, data=${bytes}, method=${JSON.stringify(method)})
${headers.map(([header, value]) => `    request.add_header(${JSON.stringify(header)}, ${py(value)})`).join('\n')}
    try:
        status = urllib.request.build_opener(Plainly).open(request, timeout=10).status
    except urllib.error.HTTPError as failure:
        status = failure.code
    assert ${conditionIn(test, 'and', 'or')}, f"{status} is not ${allowedText(test)}"
`
}

const withVariables = (text: string): string => text.replaceAll('{{token}}', `{{${tokenVariable}}}`)

/** Only tools that run scripts check the status. */
const http = (test: RegressionTest): string => `@${urlVariable} = ${baseOf(test)}

### ${test.title}
${test.about.map(line => `# ${line}`).join('\n')}
# may be answered by ${allowedText(test)}
${test.method} {{${urlVariable}}}${withVariables(test.target)}
${test.headers.map(([name, value]) => `${name}: ${withVariables(value)}`).join('\n')}
${test.body === null ? '' : `\n${withVariables(test.body.data)}\n`}
> {%
  client.test(${JSON.stringify(test.title)}, () => {
    const { status } = response
    client.assert(${conditionIn(test, '&&', '||')}, status + ' is not ${allowedText(test)}')
  })
%}
`

const postman = (test: RegressionTest): string => {
  const script = [
    `pm.test(${JSON.stringify(test.title)}, () => {`,
    '  const status = pm.response.code',
    `  pm.expect(${conditionIn(test, '&&', '||')}, status + ' is not ${allowedText(test)}').to.be.true`,
    '})',
  ]
  const collection = {
    info: {
      name: test.title,
      description: test.about.join('\n'),
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [
      { key: urlVariable, value: baseOf(test) },
      { key: tokenVariable, value: '' },
    ],
    protocolProfileBehavior: { followRedirects: false },
    item: [
      {
        name: test.title,
        event: [{ listen: 'test', script: { type: 'text/javascript', exec: script } }],
        request: {
          method: test.method,
          url: `{{${urlVariable}}}${withVariables(test.target)}`,
          header: test.headers.map(([key, value]) => ({ key, value: withVariables(value) })),
          ...(test.body === null ? {} : { body: { mode: 'raw', raw: withVariables(test.body.data) } }),
        },
      },
    ],
  }
  return `${JSON.stringify(collection, null, 2)}\n`
}

const writers: Readonly<Record<TestFormat, (test: RegressionTest) => string>> = {
  vitest,
  playwright,
  pytest,
  http,
  postman,
}
