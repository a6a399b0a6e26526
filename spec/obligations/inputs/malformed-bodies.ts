import type { BodyFormat } from '../../contract/contract.ts'
import { bytesOf, latin1 } from '../../text/latin1.ts'
import type { Level } from '../obligation.ts'

/** A way of breaking a body that is not JSON: made from a valid one, and recognised again. */
export type MalformedBodyKind = {
  readonly name: string
  readonly input: string
  readonly level: Level
  readonly rfc: string
  readonly make: (valid: Uint8Array) => Uint8Array
  /** Whether bytes that cannot be read are broken in this way. */
  readonly is: (bytes: Uint8Array) => boolean
}

/** The ways of breaking bodies of a format; none of JSON, which has its own. */
export const malformedKindsOf = (format: BodyFormat): readonly MalformedBodyKind[] =>
  format.kind === 'multipart'
    ? multipartKinds
    : format.kind !== 'xml'
      ? []
      : format.element === null
        ? xmlKinds
        : [...xmlKinds, otherRoot(format.element)]

const changed =
  (change: (text: string) => string): MalformedBodyKind['make'] =>
  valid =>
    bytesOf(change(latin1(valid)))

const matching =
  (pattern: RegExp): MalformedBodyKind['is'] =>
  bytes =>
    pattern.test(latin1(bytes))

const otherBoundary = 'another-boundary'

/** Some servers take what came until a body breaks off; all parts are lost with the wrong boundary. */
const multipartKinds: readonly MalformedBodyKind[] = [
  {
    name: 'boundary',
    input: 'a multipart body with another boundary than its Content-Type',
    level: 'MUST',
    rfc: 'RFC 2046 5.1.1',
    make: changed(text => {
      const boundary = /^--([^\r]*?)(?:--)?\r\n/.exec(text)?.[1] ?? ''
      return text.replaceAll(`--${boundary}`, `--${otherBoundary}`)
    }),
    is: matching(new RegExp(`^--${otherBoundary}`)),
  },
  {
    name: 'unterminated',
    input: 'a multipart body that breaks off',
    level: 'SHOULD',
    rfc: 'RFC 2046 5.1.1',
    make: changed(text => text.replace(/\r\n--[^\r\n]*--\r\n$/, '')),
    is: matching(/^(?!--another-boundary)(?![\s\S]*--\r\n$)/),
  },
  {
    name: 'nameless',
    input: 'a multipart body with a part that has no name',
    level: 'SHOULD',
    rfc: 'RFC 7578 4.2',
    make: changed(text => text.replace(/; name="[^"]*"/, '')),
    is: matching(/Content-Disposition: form-data(?!; name=)/i),
  },
]

const xml = (
  name: string,
  fault: string,
  change: (text: string) => string,
  is: RegExp,
): MalformedBodyKind => ({
  name,
  input: `XML that is not well-formed (${fault})`,
  level: 'MUST',
  rfc: 'XML 1.0 2.1',
  make: changed(change),
  is: matching(is),
})

const xmlKinds: readonly MalformedBodyKind[] = [
  xml(
    'unclosed',
    'an element is not closed',
    text => text.replace(/<\/[^<]*$/, ''),
    /^<(?![\s\S]*<\/[^<]*$)(?!.*\/>$)/,
  ),
  xml('mismatched', 'an end tag has another name', text => text.replace(/>$/, 'x>'), /x>$/),
  xml('two-roots', 'two root elements', text => `${text}<second/>`, /<second\/>$/),
  xml(
    'entity',
    'an entity is not declared',
    text => text.replace(/<(?=\/[^<]*$)/, '&undeclared;<'),
    /&undeclared;/,
  ),
  xml('no-xml', 'no XML at all', () => '{"a":1}', /^\s*[^<\s]/),
]

/** Many servers bind the content of the root element, whatever its name. */
const otherRoot = (element: string): MalformedBodyKind => ({
  name: 'root',
  input: `XML with another root element than \`${element}\``,
  level: 'SHOULD',
  rfc: 'XML 1.0 2.1',
  make: changed(text => {
    const at = text.indexOf('<', text.startsWith('<?') ? 2 : 0)
    const tag = /^<([^\s/>]+)/.exec(text.slice(at))?.[1] ?? ''
    const renamed = `${text.slice(0, at)}<${tag}Other${text.slice(at + 1 + tag.length)}`
    return renamed.replace(/<\/([^<>]*)>$/, '</$1Other>')
  }),
  is: matching(/Other(?:\/)?>$/),
})
