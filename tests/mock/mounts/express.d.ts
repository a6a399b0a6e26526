/** What the test uses of Express, whose own types would bring a dozen packages. */
declare module 'express' {
  import type { Server } from 'node:http'

  type Response = { json: (value: unknown) => void; status: (code: number) => Response }
  type App = {
    use: (...layers: readonly unknown[]) => void
    post: (path: string, handler: (request: { body: unknown }, response: Response) => void) => void
    listen: (port: number, host: string) => Server
  }
  const express: { (): App; readonly json: () => unknown }
  export default express
}
