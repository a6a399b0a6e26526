// Tools for rent, as the documentation of tsoa writes a service: controllers with decorators, routes and document generated from them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import express, { type NextFunction, type Request, type Response } from 'express'
import { ValidateError } from 'tsoa'
import { RegisterRoutes } from '../build/routes'
import { Unauthorized } from './authentication'
import { Failed } from './controller'

const app = express()
app.use(express.urlencoded({ extended: true }))
app.use(express.json())
app.get('/openapi.json', (_request, response) => {
  response.type('json').send(readFileSync(join(__dirname, '../../build/swagger.json')))
})
RegisterRoutes(app)
app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
  if (error instanceof ValidateError)
    return response.status(422).json({ message: 'Validation failed', fields: error.fields })
  if (error instanceof Unauthorized)
    return response.status(401).set('WWW-Authenticate', 'Bearer').json({ message: error.message })
  if (error instanceof Failed) return response.status(error.status).json({ message: error.message })
  if (error instanceof Error && 'status' in error)
    return response.status(Number(error.status)).json({ message: error.message })
  return next(error)
})
app.listen(Number(process.env.PORT), '127.0.0.1')
