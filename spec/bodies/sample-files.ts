import { mediaType } from '../http/exchange.ts'
import { latin1 } from '../text/latin1.ts'

/** A small file of a media type, one character for each byte, as servers may look into it; undefined: there is none. */
export const sampleFile = (contentType: string): string | undefined => {
  const type = mediaType(contentType) ?? ''
  return Object.hasOwn(files, type) ? files[type]?.() : undefined
}

/** The name of a file, with the ending that some servers look at: that of its media type, or of the sample that it is. */
export const fileName = (contentType: string | null, content: string): string => {
  const declared = mediaType(contentType ?? '') ?? ''
  const type = Object.hasOwn(endings, declared)
    ? declared
    : Object.keys(files).find(each => files[each]?.() === content)
  return `file${type === undefined ? '' : (endings[type] ?? '')}`
}

const endings: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/gif': '.gif',
  'image/svg+xml': '.svg',
  'application/pdf': '.pdf',
  'application/zip': '.zip',
  'application/xml': '.xml',
  'audio/wav': '.wav',
  'text/csv': '.csv',
  'text/html': '.html',
  'text/plain': '.txt',
}

const fromBase64 = (text: string) => (): string =>
  latin1(Uint8Array.from(atob(text), char => char.charCodeAt(0)))

const text = (content: string) => (): string => content

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><rect width="1" height="1"/></svg>'

/** One pixel, one empty page, one element, one line. */
const files: Readonly<Record<string, () => string>> = {
  'image/png': fromBase64(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg==',
  ),
  'image/gif': fromBase64('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'),
  'image/svg+xml': text(svg),
  'application/pdf': text(
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>endobj\nxref\n0 4\n0000000000 65535 f \n0000000009 00000 n \n0000000052 00000 n \n0000000101 00000 n \ntrailer<</Size 4/Root 1 0 R>>\nstartxref\n162\n%%EOF\n',
  ),
  'application/zip': fromBase64('UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA=='),
  'audio/wav': fromBase64('UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='),
  'application/xml': text('<sample/>'),
  'text/xml': text('<sample/>'),
  'text/html': text('<!doctype html><title>sample</title>'),
  'text/csv': text('name\r\nsample\r\n'),
}
