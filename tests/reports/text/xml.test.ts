import fc from 'fast-check'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { type XmlElement, xmlDocument } from '../../../reports/text/xml.ts'
import { safeLines, safeText } from '../../../spec/index.ts'
import { anyText } from '../ledgers.ts'

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
})

const read = (root: XmlElement): Readonly<Record<string, Record<string, string>>> => {
  const text = xmlDocument(root)
  expect(XMLValidator.validate(text)).toBe(true)
  return parser.parse(text)
}

const safeMultiline = (text: string): string => safeLines(text).join('\n')

test('a parser reads any text back, from attributes and content alike', () => {
  fc.assert(
    fc.property(anyText, anyText, (attribute, content) => {
      const element = { name: 'a', attributes: { b: safeText(attribute) }, content: safeMultiline(content) }
      // The parser returns no text for an empty element.
      expect(read(element).a).toEqual({
        b: safeText(attribute),
        ...(safeMultiline(content) === '' ? {} : { '#text': safeMultiline(content) }),
      })
    }),
  )
})

test('line breaks and tabs of an attribute are character references', () => {
  expect(xmlDocument({ name: 'a', attributes: { b: 'c\n\td' }, content: [] })).toContain('b="c&#10;&#9;d"')
})

test('nothing in a text can end it', () => {
  fc.assert(
    fc.property(fc.constantFrom('"/><x a="', '</a><x>', ']]><x/>', '<!-- -->', '&lt;x/&gt;'), text => {
      const document = xmlDocument({ name: 'a', attributes: { b: text }, content: text })
      expect(document).not.toMatch(/<x|<!--/)
      expect(read({ name: 'a', attributes: { b: text }, content: text }).a).toEqual({
        b: text,
        '#text': text,
      })
    }),
  )
})

test('elements are indented, empty ones closed at once, and attributes that are null left out', () => {
  expect(
    xmlDocument({
      name: 'a',
      attributes: { b: 1, c: null },
      content: [
        { name: 'd', attributes: {}, content: [] },
        { name: 'e', attributes: {}, content: 'text' },
      ],
    }),
  ).toBe('<?xml version="1.0" encoding="UTF-8"?>\n<a b="1">\n  <d/>\n  <e>text</e>\n</a>\n')
})
