import Koa from 'koa'
import { checkToken, checkType, Rejection, readPlant } from './plant.mjs'

const app = new Koa()
app.silent = true
app.use(async context => {
  if (context.path !== '/plants' || context.method !== 'POST') return
  try {
    checkToken(context.headers.authorization)
    checkType(context.headers['content-type'])
    context.body = readPlant(Buffer.concat(await context.req.toArray()))
  } catch (error) {
    if (!(error instanceof Rejection)) throw error
    context.status = 400
    context.body = { error: error.code, message: error.message }
  }
})
app.listen(Number(process.env.PORT), '127.0.0.1')
