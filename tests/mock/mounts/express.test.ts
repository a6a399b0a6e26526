/** The recipe of docs/mounts.md for Express, as it is written there, in a real application. */
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { createMiddleware } from '../../../mock/index.ts'
import { plantStoreDocument } from '../../../spec/index.ts'

const page = readFileSync(new URL('../../../docs/mounts.md', import.meta.url), 'utf8')
const recipe = /^## Express[\s\S]*?```ts\n([\s\S]*?)```/m.exec(page)?.[1] ?? ''

/** Runs the recipe with another document, and gives its application. */
const appOfRecipe = async (): Promise<ReturnType<typeof express>> => {
  const code = recipe
    .replace(/^import .*\n/gm, '')
    .replace("'openapi.yaml'", JSON.stringify(fileURLToPath(plantStoreDocument)))
  const AsyncFunction = (async () => {}).constructor as new (
    ...parts: readonly string[]
  ) => (...values: readonly unknown[]) => Promise<ReturnType<typeof express>>
  return new AsyncFunction('express', 'createMiddleware', `${code}\nreturn app`)(express, createMiddleware)
}

test('Express serves the mock below a prefix, and its own routes beside it', async () => {
  const app = await appOfRecipe()
  app.use(express.json())
  app.post('/own', ({ body }, response) => response.status(201).json(body))
  const server = app.listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const post = async (path: string, body: string): Promise<readonly [number, string]> => {
    const headers = { Authorization: 'Bearer any', 'Content-Type': 'application/json', Connection: 'close' }
    const response = await fetch(url + path, { method: 'POST', headers, body })
    return [response.status, await response.text()]
  }
  expect(await post('/api/plants', '{"id":9223372036854775807,"name":"Fern"}')).toEqual([
    200,
    '{"name":"Fern"}',
  ])
  expect(await post('/api/plants', '{"id":"1","name":"Fern"}')).toEqual([
    400,
    '{"error":21,"message":"/id must be an integer"}',
  ])
  expect(await post('/own', '{"a":1}')).toEqual([201, '{"a":1}'])
  expect((await post('/nowhere', '{}'))[0]).toBe(404)
  const health = await fetch(`${url}/__plantstore/health`, { headers: { Connection: 'close' } })
  expect(health.status).toBe(200)
})
