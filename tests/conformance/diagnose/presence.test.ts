import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const body = {
  type: 'object',
  required: ['title'],
  properties: {
    title: { type: 'string' },
    // As Django writes a field for URLs, which takes those of the web alone.
    website: {
      oneOf: [
        { type: 'string', format: 'uri', maxLength: 200 },
        { type: 'string', maxLength: 0 },
      ],
    },
  },
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'an optional property is not told to be rejected if it is its value (seed %i)',
  async seed => {
    const server = createServer(async (request, response) => {
      const text = Buffer.concat(await request.toArray()).toString()
      let website: unknown
      try {
        website = JSON.parse(text).website
      } catch {}
      const isTaken = website === undefined || /^https?:\/\//.test(String(website))
      response.writeHead(isTaken ? 200 : 400).end()
    })
    const { url, close } = await listen(server)
    onTestFinished(close)
    const document = documentWith({
      '/records': {
        post: {
          operationId: 'create',
          requestBody: { required: true, content: { 'application/json': { schema: body } } },
          responses: { 200: { description: 'created' }, 400: { description: 'invalid' } },
        },
      },
    })
    const contract = await loadContract({ from: writeDocument('records.json', document) })
    const { findings } = await verify({
      ...{ contract, target: url, seed, sustained: 0, cases: 400 },
      only: ['create/request/body/presence/*'],
    })
    const titles = findings.map(({ title }) => title)
    expect(titles).toEqual([expect.stringMatching(/^takes only some texts as .website./)])
  },
)
