import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { bearerAuth } from 'hono/bearer-auth'
import { z } from 'zod'

const NewPlant = z.object({ id: z.int(), name: z.string(), tag: z.string().optional() })

const app = new Hono()
app.use('/plants', bearerAuth({ token: process.env.STORE_TOKEN }))
app.post('/plants', async context => {
  const { success, data, error } = NewPlant.safeParse(await context.req.json())
  return success
    ? context.json({ name: data.name, tag: data.tag })
    : context.json({ error: 1, message: error.issues[0].message }, 400)
})
app.onError((_error, context) => context.text('Internal Server Error', 500))
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })
