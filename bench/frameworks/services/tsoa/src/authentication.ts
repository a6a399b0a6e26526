import type { Request } from 'express'

export class Unauthorized extends Error {}

export async function expressAuthentication(request: Request, _name: string): Promise<unknown> {
  if (request.headers.authorization !== 'Bearer secret-token') throw new Unauthorized('log in first')
  return { name: 'fern' }
}
