import { type Pointer, valueAt } from '../json/pointer.ts'

/** Why the root of a document is not one of Swagger 2.0 or OpenAPI 3.0, 3.1 or 3.2, and where; null if it is. */
export const rootProblem = (root: unknown): { readonly message: string; readonly at: Pointer } | null => {
  if (root === null || root === undefined) return { message: 'the file is empty', at: '' }
  if (typeof root !== 'object' || Array.isArray(root))
    return { message: 'this is not an OpenAPI document: it has no field `openapi`', at: '' }
  if (isSwagger(root)) return null
  if (Object.hasOwn(root, 'swagger'))
    return {
      message: `Swagger ${valueAt(root, '/swagger')} is not supported: Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 are`,
      at: '/swagger',
    }
  const version = valueAt(root, '/openapi')
  if (version === undefined)
    return { message: 'this is not an OpenAPI document: it has no field `openapi`', at: '' }
  if (minorVersion(version) === null)
    return {
      message: `OpenAPI ${JSON.stringify(version)} is not supported: 3.0, 3.1 and 3.2 are, written as "3.1.0"`,
      at: '/openapi',
    }
  return null
}

/** Whether a document is of Swagger 2.0. */
export const isSwagger = (root: unknown): boolean => /^2(?:\.0)?$/.test(String(valueAt(root, '/swagger')))

/** The minor version of OpenAPI 3 that a text or number names; null for any other. */
export const minorVersion = (version: unknown): number | null => {
  const [, minor] = /^3(?:\.([0-2])(?:\.\d.*)?)?$/.exec(String(version)) ?? [null, null]
  return minor === null ? null : Number(minor ?? 0)
}
