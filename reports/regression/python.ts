import {
  accessTo,
  allowedText,
  baseOf,
  conditionIn,
  tokenLines,
  tokenVariable,
  urlVariable,
  uses,
  variable,
} from './javascript.ts'
import type { RegressionTest, TestRequest, TestStep } from './regression-test.ts'

/** A text as Python, whose strings take the escapes of JSON. */
const py = (text: string, filled = (name: string): string => `str(${name})`): string =>
  [...new Set([...text.matchAll(variable)].map(([, name = '']) => name))].reduce(
    (written, name) =>
      `${written}.replace("{{${name}}}", ${name.startsWith('created') ? filled(name) : name})`,
    JSON.stringify(text),
  )

const pyCall = ({ method, target, headers, body }: TestRequest): string => {
  const bytes =
    body === null
      ? 'None'
      : body.encoding === 'utf8'
        ? `${py(body.data)}.encode()`
        : `base64.b64decode(${JSON.stringify(body.data)})`
  return `send(
        ${JSON.stringify(method)},
        ${py(target, name => `urllib.parse.quote(str(${name}), safe="")`)},
        {
${headers.map(([header, value]) => `            ${JSON.stringify(header)}: ${py(value)},\n`).join('')}        },
        ${bytes},
    )`
}

const pyStep = (step: TestStep): string => {
  const { method, keeps, succeeds } = step
  const kept =
    keeps === null
      ? ''
      : keeps.at === 'location'
        ? `    ${keeps.as} = urllib.parse.unquote(urllib.parse.urlparse(headers["Location"]).path.split("/")[-1])\n`
        : `    ${keeps.as} = json.loads(body)${accessTo(keeps.at)}\n`
  return `    status, headers, body = ${pyCall(step)}
${succeeds ? `    assert status < 400, f"${method} before was answered {status}"\n` : ''}${kept}`
}

export const pytest = (test: RegressionTest): string => {
  const { title, about, steps, request } = test
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .slice(0, 80)
  const isBase64 = uses(test, 'basic') || [...steps, request].some(({ body }) => body?.encoding === 'base64')
  const reads = steps.some(({ keeps }) => keeps !== null && keeps.at !== 'location')
  return `${isBase64 ? 'import base64\n' : ''}${reads ? 'import json\n' : ''}import os
import urllib.error
import urllib.parse
import urllib.request

base = os.environ.get("${urlVariable}", ${JSON.stringify(baseOf(test))})
${tokenLines(test, `token = os.environ.get("${tokenVariable}", "")`, 'basic = base64.b64encode(token.encode()).decode()')}

class Plainly(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def send(method, target, headers, body):
    request = urllib.request.Request(base + target, data=body, method=method, headers=headers)
    try:
        response = urllib.request.build_opener(Plainly).open(request, timeout=10)
    except urllib.error.HTTPError as failure:
        response = failure
    return response.status, response.headers, response.read()


${about.map(line => `# ${line}`).join('\n')}
def test_${name}():
${steps.map(pyStep).join('')}    status, _, _ = ${pyCall(request)}
    assert ${conditionIn(test, 'and', 'or')}, f"{status} is not ${allowedText(test)}"
`
}
