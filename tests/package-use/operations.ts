/** One public operation for each package, which does its work: `node operations.ts PACKAGE` prints the result as JSON. */
import { recordPdf } from '../../cli/outputs/record-pdf.ts'
import { verify } from '../../conformance/index.ts'
import { createHandler, createMock } from '../../mock/index.ts'
import { type Contract, loadContract } from '../../spec/index.ts'
import { libraryDocument, ordersDocument, shopDocument } from '../documents/index.ts'

/** What a schema of the contract says against a value. */
const violationsOf = ({ requests }: Contract, schema: object, value: string): readonly string[] =>
  requests.schemas
    .compile(schema as never)(value)
    .map(({ keyword }) => keyword)

const operations: Readonly<Record<string, () => Promise<unknown>>> = {
  // Validates a value by a schema.
  ajv: async () =>
    violationsOf(await loadContract({ from: libraryDocument }), { type: 'string', maxLength: 1 }, 'ab'),
  // Checks a format.
  'ajv-formats': async () =>
    violationsOf(
      await loadContract({ from: libraryDocument }),
      { type: 'string', format: 'date' },
      '2026-02-30',
    ),
  // Reads a document in several files.
  '@apidevtools/swagger-parser': async () => (await loadContract({ from: ordersDocument })).operations.length,
  // Makes the shape of a body, with what its schema does not require.
  '@stoplight/prism-http': async () => {
    const mock = await createHandler({ contract: shopDocument, warn: () => {} })
    const { items } = (await (await mock(new Request('http://localhost/products'))).json()) as {
      readonly items: readonly object[]
    }
    return items.some(item => 'discount' in item)
  },
  // Draws the random bodies of a run.
  'fast-check': async () => {
    const contract = await loadContract({ from: shopDocument })
    const mock = await createMock({ contract, warn: () => {} })
    const { end } = await verify({
      target: mock.url,
      contract,
      cases: 120,
      seed: 1,
      sustained: 0,
      stateless: true,
    })
    await mock.close()
    return (end?.cases ?? 0) > 0
  },
  // Prints a test record.
  playwright: async () => {
    const pdf = await recordPdf('<h1>Record</h1>', 'abc', 'A4')
    return 'reason' in pdf ? pdf : { pdf: pdf.length > 500 }
  },
}

const name = process.argv[2] ?? ''
try {
  process.stdout.write(JSON.stringify(await operations[name]?.()))
} catch (error) {
  process.stdout.write(JSON.stringify({ thrown: (error as Error).message }))
}
process.exit()
