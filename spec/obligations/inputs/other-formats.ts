import { isNumber, isObject, type Json, numberText, parseJson, writeJson } from '../../json/json.ts'
import { asBytes } from '../../text/latin1.ts'

/** A value in other formats than JSON, which a reader may take for it; and JSON in what surrounds or encodes it. */
export const otherFormats = (valid: string): readonly string[] => {
  const value = parseJson(valid)
  const members = isObject(value) && valid !== '{}' ? Object.entries(value) : [['a', value] as const]
  const escaped = encodeURIComponent(valid)
  return [
    `${members.map(([name, item]) => `${name}: ${yamlOf(item)}`).join('\n')}\n`,
    members
      .map(([name, item]) => `${encodeURIComponent(name)}=${encodeURIComponent(plainText(item))}`)
      .join('&'),
    `a(${valid});`,
    `(${valid})`,
    `)]}',\n${valid}`,
    `data: ${valid}\n\n`,
    `${members.map(([name, item]) => `${name} = ${writeJson(item)}`).join('\n')}\n`,
    `<a>${members.map(([name, item]) => `<${name}>${plainText(item)}</${name}>`).join('')}</a>`,
    `json=${escaped}`,
    escaped.replace(/^\w/, '%$&'),
    btoa(asBytes(valid)),
    `--x\r\nContent-Disposition: form-data; name="json"\r\n\r\n${valid}\r\n--x--\r\n`,
  ]
}

const plainText = (item: Json): string =>
  typeof item === 'string' ? item : isNumber(item) ? numberText(item) : writeJson(item)

/** Any JSON is YAML, but plain text is how people write it. */
const yamlOf = (item: Json): string =>
  typeof item === 'string' && /^[a-z][a-z ]*$/i.test(item) ? item : writeJson(item)
