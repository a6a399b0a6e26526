import { bodyParser } from '@koa/bodyparser'
import Koa from 'koa'
import { z } from 'zod'

const NewPlant = z.object({ id: z.int(), name: z.string().min(1), tag: z.string().optional() })

const app = new Koa()
app.silent = true
app.use(bodyParser())
app.use(context => {
  if (context.path !== '/plants' || context.method !== 'POST') return
  if (context.get('Authorization') !== `Bearer ${process.env.STORE_TOKEN}`) context.throw(401)
  const { success, data, error } = NewPlant.safeParse(context.request.body)
  if (success) {
    context.body = { name: data.name, tag: data.tag }
    return
  }
  context.status = 400
  context.body = { error: 1, message: error.issues[0].message }
})
app.listen(Number(process.env.PORT), '127.0.0.1')
