/** What arrives in other spellings than the toolkit's own, and what is refused. */
import { describe, expect, test } from 'vitest'
import { readMultipart } from '../../../spec/http/multipart.ts'
import { readBody } from '../../../spec/index.ts'
import { contractOf, formatOf } from './media.ts'

const read = (body: string, boundary: string | null = 'x') =>
  readMultipart(
    Buffer.from(body, 'latin1'),
    boundary === null ? 'multipart/form-data' : `multipart/form-data; boundary=${boundary}`,
  )

const head = 'Content-Disposition: form-data; name="a"'

describe('multipart/form-data', () => {
  test.each<[string, string, string | null, object]>([
    ['one part', `--x\r\n${head}\r\n\r\n1\r\n--x--\r\n`, 'x', { name: 'a', content: '1' }],
    ['no line break at the end', `--x\r\n${head}\r\n\r\n1\r\n--x--`, 'x', { content: '1' }],
    ['text before and after', `before\r\n--x\r\n${head}\r\n\r\n1\r\n--x--\r\nafter`, 'x', { content: '1' }],
    ['spaces after the boundary', `--x \t\r\n${head}\r\n\r\n1\r\n--x-- \r\n`, 'x', { content: '1' }],
    ['a boundary in quotation marks', `--x y\r\n${head}\r\n\r\n1\r\n--x y--\r\n`, '"x y"', { content: '1' }],
    [
      'a longer line that begins as the boundary',
      `--x\r\n${head}\r\n\r\n--xy\r\n--x--\r\n`,
      'x',
      { content: '--xy' },
    ],
    ['the boundary within a line', `--x\r\n${head}\r\n\r\na--x\r\n--x--\r\n`, 'x', { content: 'a--x' }],
    [
      'line breaks at the ends',
      `--x\r\n${head}\r\n\r\n\r\n1\r\n\r\n--x--\r\n`,
      'x',
      { content: '\r\n1\r\n' },
    ],
    ['a part that ends with its head', `--x\r\n${head}\r\n--x--\r\n`, 'x', { name: 'a', content: '' }],
    ['nothing in a part', `--x\r\n${head}\r\n\r\n\r\n--x--\r\n`, 'x', { content: '' }],
    [
      'a name without quotation marks',
      '--x\r\ncontent-disposition:form-data;name=a\r\n\r\n1\r\n--x--',
      'x',
      { name: 'a' },
    ],
    [
      'a name of a browser',
      '--x\r\nContent-Disposition: form-data; name="a%22b"\r\n\r\n1\r\n--x--',
      'x',
      { name: 'a"b' },
    ],
    [
      'a name of curl',
      '--x\r\nContent-Disposition: form-data; name="a\\"b"\r\n\r\n1\r\n--x--',
      'x',
      { name: 'a"b' },
    ],
    [
      'a folded header',
      `--x\r\n${head};\r\n filename="b.txt"\r\nContent-Type: text/plain\r\nX-A: b\r\n\r\n1\r\n--x--`,
      'x',
      { filename: 'b.txt', contentType: 'text/plain', headers: [['X-A', 'b']] },
    ],
  ])('%s is read', (_what, body, boundary, expected) => {
    expect(read(body, boundary)).toMatchObject({ ok: true, parts: [expected] })
  })

  test('no part is a body without parts', () => {
    expect(read('--x--\r\n')).toEqual({ ok: true, parts: [] })
  })

  test.each<[string, string, string | null, string]>([
    ['no boundary', '--x--', null, 'its Content-Type names no boundary'],
    ['another boundary', `--y\r\n${head}\r\n\r\n1\r\n--y--\r\n`, 'x', 'no line of it is the boundary --x'],
    ['no end', `--x\r\n${head}\r\n\r\n1\r\n`, 'x', 'the line that ends it is missing'],
    ['line feeds only', `--x\n${head}\n\n1\n--x--\n`, 'x', 'no line of it is the boundary --x'],
    [
      'a part without a disposition',
      '--x\r\nX-A: b\r\n\r\n1\r\n--x--',
      'x',
      'part 1 has no Content-Disposition',
    ],
    [
      'an attachment',
      '--x\r\nContent-Disposition: attachment; name="a"\r\n\r\n1\r\n--x--',
      'x',
      'part 1 has a Content-Disposition other than form-data',
    ],
    [
      'a part without a name',
      '--x\r\nContent-Disposition: form-data; filename="a"\r\n\r\n1\r\n--x--',
      'x',
      'part 1 has no name in its Content-Disposition',
    ],
    [
      'a line that is no header',
      `--x\r\n${head}\r\nnonsense\r\n\r\n1\r\n--x--`,
      'x',
      'part 1 has a line in its head that is not a header',
    ],
  ])('%s is refused', (_what, body, boundary, problem) => {
    expect(read(body, boundary)).toEqual({ ok: false, problem })
  })

  test('the time to read grows with the size only', () => {
    const part = `--x\r\n${head}\r\n\r\n1\r\n`
    const began = performance.now()
    expect(read(`${part.repeat(20_000)}--x--`)).toMatchObject({ ok: true })
    expect(read('--x'.repeat(300_000))).toMatchObject({ ok: false })
    expect(read(`--x\r\n${'a'.repeat(1_000_000)}`)).toMatchObject({ ok: false })
    expect(performance.now() - began).toBeLessThan(5000)
  })
})

const xmlContent = {
  'application/xml': {
    schema: {
      type: 'object',
      xml: { name: 'a', namespace: 'urn:a' },
      properties: { b: { type: 'integer' }, c: { type: 'string' } },
    },
  },
}
const xml = formatOf(await contractOf(xmlContent))
const readXml = (text: string | Uint8Array, type = 'application/xml') =>
  readBody(xml, typeof text === 'string' ? Buffer.from(text) : text, type)

describe('XML', () => {
  test.each<[string, string, object]>([
    ['any prefix', '<x:a xmlns:x="urn:a"><b>1</b></x:a>', { b: 1 }],
    ['comments and CDATA', '<a xmlns="urn:a"><!-- x --><c>1<![CDATA[<2>]]>3</c></a>', { c: '1<2>3' }],
    ['white space between elements', '<a xmlns="urn:a">\n  <b>1</b>\n</a>', { b: 1 }],
    ['white space in a text', '<a xmlns="urn:a"><c> x </c></a>', { c: ' x ' }],
    ['an element twice', '<a xmlns="urn:a"><b>1</b><b>2</b></a>', { b: [1, 2] }],
    ['a number that is none', '<a xmlns="urn:a"><b>x</b></a>', { b: 'x' }],
    [
      'what is not declared',
      '<a xmlns="urn:a" z="1"><d><e>1</e><e>2</e></d></a>',
      { z: '1', d: { e: ['1', '2'] } },
    ],
    ['a document type', '<!DOCTYPE a SYSTEM "http://127.0.0.1:1/x"><a xmlns="urn:a"/>', {}],
  ])('%s is read', (_what, text, value) => expect(readXml(text)).toEqual({ ok: true, value }))

  test('in the charset of its Content-Type, or of itself', () => {
    const text = '<?xml version="1.0" encoding="ISO-8859-1"?><a xmlns="urn:a"><c>é</c></a>'
    const value = { c: 'é' }
    expect(readXml(Buffer.from(text, 'latin1'))).toEqual({ ok: true, value })
    expect(readXml(text, 'application/xml; charset=utf-8')).toEqual({ ok: true, value })
    expect(readXml(Buffer.from(text, 'latin1'), 'application/xml; charset="utf-8"')).toEqual({
      ok: false,
      problem: 'it is not valid UTF-8',
    })
  })

  test.each<[string, string, RegExp]>([
    ['another root element', '<b xmlns="urn:a"/>', /^its root element must be a, not b$/],
    ['another namespace', '<a xmlns="urn:b"/>', /^its root element must be in the namespace urn:a$/],
    ['no namespace', '<a/>', /namespace urn:a$/],
    ['an element that is not closed', '<a xmlns="urn:a"><b></a>', /^Missing end tag for element b/],
    ['two roots', '<a xmlns="urn:a"/><a/>', /^Extra content/],
    ['no XML', '{}', /^Root element is missing/],
    [
      'entities of a document type',
      '<!DOCTYPE a [<!ENTITY x "y">]><a xmlns="urn:a"><c>&x;</c></a>',
      /^Named entity isn't defined/,
    ],
    [
      'too many levels',
      `<a xmlns="urn:a">${'<b>'.repeat(600)}${'</b>'.repeat(600)}</a>`,
      /^its elements are nested too deeply$/,
    ],
    [
      'too many elements',
      `<a xmlns="urn:a">${'<b/>'.repeat(600_000)}</a>`,
      /^it has more than 250000 elements$/,
    ],
    ['levels without end', '<a>'.repeat(100_000), /nested too deeply|end tag/],
  ])('%s is refused', (_what, text, problem) => {
    expect(readXml(text)).toEqual({ ok: false, problem: expect.stringMatching(problem) })
  })
})

test('a text is read in its charset, and refused if it is none', async () => {
  const format = formatOf(await contractOf({ 'text/plain': { schema: { type: 'string' } } }))
  const readText = (type: string) => readBody(format, Buffer.from([0xe9]), type)
  expect(readText('text/plain; charset=iso-8859-1')).toEqual({ ok: true, value: 'é' })
  expect(readText('text/plain')).toEqual({ ok: true, value: 'é' })
  expect(readText('text/plain; charset=utf-8')).toEqual({ ok: false, problem: 'it is not valid UTF-8' })
  expect(readText('text/plain; charset=nonsense')).toEqual({
    ok: false,
    problem: 'the charset nonsense is not known',
  })
})
