/** XPath 3.1 over XML. The build puts the packages into this file. */
import fontoxpath from 'fontoxpath'
import { type Document, type Node, parseXmlDocument } from 'slimdom'

/** What an XPath finds in a document: nodes by their text, other values as text. Throws for what is no XPath, or no XML. */
const textsOf = (path: string, xml: string): readonly string[] => {
  const document = documentOf(xml)
  return fontoxpath.evaluateXPathToStrings(path, document, null, {}, optionsFor(document))
}

/** Whether it holds: a boolean, or whether it finds something. Throws as `textsOf`. */
const holds = (path: string, xml: string): boolean => {
  const document = documentOf(xml)
  return fontoxpath.evaluateXPathToBoolean(path, document, null, {}, optionsFor(document))
}

export const xpath = { holds, textsOf }

/** Entities of its own may grow without limit, and are rejected. */
const documentOf = (xml: string): Document => {
  if (/<!ENTITY/i.test(xml)) throw new Error('the XML declares entities')
  return parseXmlDocument(xml)
}

/** Prefixes mean what they mean at the root of the document. */
const optionsFor = (document: Document) => ({
  namespaceResolver: (prefix: string): string | null =>
    prefix === '' ? null : ((document.documentElement as Node | null)?.lookupNamespaceURI(prefix) ?? null),
})
