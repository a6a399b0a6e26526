import { asNode, type DocumentNode, safeText, type TrafficEntry } from '../../../spec/index.ts'
import { TrafficError } from '../../errors.ts'
import { readHar } from '../har/read.ts'
import { readPostman } from './read.ts'

/** Reads what a HAR file or a Postman collection has recorded; to judge, to replay, or to take examples from. Throws TrafficError. */
export const readTraffic = (text: string): readonly TrafficEntry[] => {
  const file = parsed(text)
  if (Array.isArray(asNode(file.log).entries)) return readHar(file)
  // What the API of Postman gives is wrapped.
  const collection = 'collection' in file ? asNode(file.collection) : file
  if (Array.isArray(collection.item)) return readPostman(collection)
  throw new TrafficError(
    'it is neither a HAR file, which has a list `log.entries`, nor a Postman collection (v2.1), which has a list `item`',
  )
}

const parsed = (text: string): DocumentNode => {
  try {
    return asNode(JSON.parse(text.replace(/^\uFEFF/, '')))
  } catch (error) {
    throw new TrafficError(`it is not JSON: ${safeText((error as SyntaxError).message)}`)
  }
}
