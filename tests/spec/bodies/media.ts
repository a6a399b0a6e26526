import { type Contract, loadContract, type Media, type ReadableFormat } from '../../../spec/index.ts'
import { documentWith, operationOf, writeDocument } from '../contracts.ts'

/** A contract of one `POST /a` whose body is of these media types. */
export const contractOf = (content: object, rest: object = {}, openapi = '3.1.0'): Promise<Contract> =>
  loadContract({
    from: writeDocument(
      'media.json',
      documentWith(
        {
          '/a': {
            post: {
              operationId: 'a',
              requestBody: { required: true, content },
              responses: { 200: { description: 'ok', content }, 400: { description: 'no' } },
            },
          },
        },
        { openapi, ...rest },
      ),
    ),
  })

export const mediaOf = (contract: Contract): Media => {
  const [media] = operationOf(contract, 'a').body?.media ?? []
  if (media === undefined) throw new Error('no media type')
  return media
}

/** The format of a body that can be read. */
export const formatOf = (contract: Contract): ReadableFormat => {
  const { format } = mediaOf(contract)
  if (format.kind === 'opaque') throw new Error(format.reason)
  return format
}
