/** Writes src/contract.d.ts: the types of the shop's document. A file is a Blob. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

const document = new URL('shop.openapi.yaml', import.meta.url)
const blob = ts.factory.createTypeReferenceNode('Blob')
const types = await openapiTS(document, {
  transform: schema => (schema.format === 'binary' ? blob : undefined),
})
const digest = createHash('sha256').update(readFileSync(document)).digest('hex')

writeFileSync(
  new URL('src/contract.d.ts', import.meta.url),
  `// Written by \`npm run generate\` from the document with the SHA-256 ${digest}.\n\n${astToString(types)}`,
)
