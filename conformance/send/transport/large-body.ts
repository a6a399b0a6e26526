import type { HttpRequest } from '../../../spec/index.ts'

const largeBytes = 65_536

/** Whether a server may reject a request before it has read all of it: what is larger does not fit into a connection's buffers. */
export const isLarge = ({ body }: HttpRequest): boolean => (body?.length ?? 0) >= largeBytes
