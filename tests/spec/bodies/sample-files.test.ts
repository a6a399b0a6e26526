/** Some servers take a file by the ending of its name alone. */
import { expect, test } from 'vitest'
import { fileName, sampleFile } from '../../../spec/bodies/sample-files.ts'

test.each([
  ['its media type', 'image/gif', 'any bytes', 'file.gif'],
  ['its media type, whatever the sample', 'text/csv; charset=utf-8', sampleFile('image/png'), 'file.csv'],
  [
    'the sample, if the media type says nothing',
    'application/octet-stream',
    sampleFile('image/png'),
    'file.png',
  ],
  ['the sample of a part without a media type', null, sampleFile('application/pdf'), 'file.pdf'],
  ['nothing', 'application/octet-stream', 'any bytes', 'file'],
])('a file is named by %s', (_what, contentType, content, name) => {
  expect(fileName(contentType, content ?? '')).toBe(name)
})
