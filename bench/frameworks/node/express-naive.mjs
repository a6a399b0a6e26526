import express from 'express'

const app = express()
app.use(express.json())
app.post('/plants', (request, response) => {
  if (request.headers.authorization !== `Bearer ${process.env.STORE_TOKEN}`)
    return response.status(400).json({ error: 1, message: 'unauthorized' })
  const { id, name, tag } = request.body ?? {}
  if (!Number.isInteger(id)) return response.status(400).json({ error: 2, message: 'id' })
  if (!name || typeof name !== 'string') return response.status(400).json({ error: 3, message: 'name' })
  if (tag && typeof tag !== 'string') return response.status(400).json({ error: 4, message: 'tag' })
  response.json({ name, tag })
})
app.listen(Number(process.env.PORT), '127.0.0.1')
