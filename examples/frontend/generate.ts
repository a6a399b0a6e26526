/** Writes src/contract.d.ts: the types of the plant store's document. An int64 is a number or, past 2^53, a bigint. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

const document = new URL('../../spec/openapi/plant-store.openapi.yaml', import.meta.url)
const { createKeywordTypeNode, createUnionTypeNode } = ts.factory
const int64 = createUnionTypeNode([
  createKeywordTypeNode(ts.SyntaxKind.NumberKeyword),
  createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword),
])

const types = await openapiTS(document, {
  transform: schema => (schema.format === 'int64' ? int64 : undefined),
})
const digest = createHash('sha256').update(readFileSync(document)).digest('hex')

writeFileSync(
  new URL('src/contract.d.ts', import.meta.url),
  `// Written by \`npm run generate\` from the document with the SHA-256 ${digest}.\n\n${astToString(types)}`,
)
