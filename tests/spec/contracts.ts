import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Contract,
  loadContract,
  type Operation,
  type Parameter,
  plantStoreDocument,
} from '../../spec/index.ts'
import { libraryDocument, ordersDocument, paymentsDocument } from '../documents/index.ts'
import { emptyFolder } from '../folder.ts'

/** The documents that the tests use. */
export const contracts: Readonly<Record<'plantStore' | 'library' | 'orders' | 'payments', Contract>> = {
  plantStore: await loadContract({ from: fileURLToPath(plantStoreDocument) }),
  library: await loadContract({ from: libraryDocument }),
  orders: await loadContract({ from: ordersDocument }),
  payments: await loadContract({ from: paymentsDocument }),
}

export const operationOf = (contract: Contract, id: string): Operation => {
  const operation = contract.operations.find(candidate => candidate.id === id)
  if (operation === undefined) throw new Error(`no operation ${id}`)
  return operation
}

/** Writes a file that only one test needs. Returns its path. */
export const writeDocument = (name: string, text: string | Uint8Array): string => {
  const file = join(emptyFolder(), name)
  writeFileSync(file, text)
  return file
}

const responses = { 200: { description: 'ok' } }

/** A document with these paths (default: one without requirements). */
export const documentWith = (paths: object = { '/a': { get: { responses } } }, rest: object = {}): string =>
  JSON.stringify({ openapi: '3.1.0', info: { title: 'A', version: '1' }, paths, ...rest }, null, 2)

/** A JSON body that a request has to have. */
export const bodyOf = (schema: object) => ({ required: true, content: { 'application/json': { schema } } })

/** A contract of one `POST /a` whose body has this schema. */
export const contractOfBody = (schema: object, rest: object = {}): Promise<Contract> =>
  loadContract({
    from: writeDocument(
      'body.json',
      documentWith(
        {
          '/a': {
            post: {
              operationId: 'a',
              requestBody: bodyOf(schema),
              responses: {
                200: { description: 'ok', content: { 'application/json': { schema } } },
                400: { description: 'no', content: { 'application/json': { schema: { type: 'object' } } } },
              },
            },
          },
        },
        rest,
      ),
    ),
  })

/** The fields of a form; empty if the first media type of a body is none. */
export const formFieldsOf = (body: Operation['body'] | undefined): readonly Parameter[] => {
  const format = body?.media[0]?.format
  return format?.kind === 'form' ? format.fields : []
}
