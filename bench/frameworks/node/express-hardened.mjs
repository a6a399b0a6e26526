import express from 'express'
import { checkToken, checkType, Rejection, readPlant } from './plant.mjs'

const app = express()
app.use(express.raw({ type: () => true, limit: '1mb' }))
app.post('/plants', ({ headers, body }, response) => {
  checkToken(headers.authorization)
  checkType(headers['content-type'])
  response.json(readPlant(body ?? new Uint8Array()))
})
app.use((error, _request, response, _next) => {
  if (error instanceof Rejection) response.status(400).json({ error: error.code, message: error.message })
  else response.status(error.status ?? 500).json({ error: 9, message: 'the server failed' })
})
app.listen(Number(process.env.PORT), '127.0.0.1')
