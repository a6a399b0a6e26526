import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { checkToken, checkType, Rejection, readPlant } from './plant.mjs'

const app = new Hono()
app.post('/plants', async context => {
  checkToken(context.req.header('authorization'))
  checkType(context.req.header('content-type'))
  return context.json(readPlant(new Uint8Array(await context.req.arrayBuffer())))
})
app.onError((error, context) =>
  error instanceof Rejection
    ? context.json({ error: error.code, message: error.message }, 400)
    : context.json({ error: 9, message: 'the server failed' }, 500),
)
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
