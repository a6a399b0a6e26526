import { type Pointer, valueAt } from '../json/pointer.ts'

/** Why the root of a document is not one of OpenAPI 3.0 or 3.1, and where; null if it is. */
export const rootProblem = (root: unknown): { readonly message: string; readonly at: Pointer } | null => {
  if (root === null || root === undefined) return { message: 'the file is empty', at: '' }
  if (typeof root !== 'object' || Array.isArray(root))
    return { message: 'this is not an OpenAPI document: it has no field `openapi`', at: '' }
  if (Object.hasOwn(root, 'swagger'))
    return {
      message: `Swagger ${valueAt(root, '/swagger')} is not supported: convert the document to OpenAPI 3.0 or 3.1`,
      at: '/swagger',
    }
  const version = valueAt(root, '/openapi')
  if (version === undefined)
    return { message: 'this is not an OpenAPI document: it has no field `openapi`', at: '' }
  if (typeof version !== 'string' || !/^3\.[01]\.\d+$/.test(version))
    return {
      message: `OpenAPI ${JSON.stringify(version)} is not supported: 3.0 and 3.1 are, written as "3.1.0"`,
      at: '/openapi',
    }
  if (typeof valueAt(root, '/info/version') === 'number')
    return {
      message: 'the version of the document must be text: put it in quotation marks',
      at: '/info/version',
    }
  if (typeof valueAt(root, '/info') !== 'object')
    return { message: 'the document has no field `info` with a title and a version', at: '' }
  if (valueAt(root, '/paths') === undefined)
    return { message: 'the document declares no operation: it has no field `paths`', at: '' }
  return null
}
