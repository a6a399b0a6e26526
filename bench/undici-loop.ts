/** The bare loop: sends one valid request over and over through undici, and discards the responses. */
import { Pool } from 'undici'

const [url = '', token = '', count = '0', concurrency = '1'] = process.argv.slice(2)
const pool = new Pool(url, { connections: Number(concurrency), pipelining: 1 })
const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` }
let left = Number(count)
const start = performance.now()
await Promise.all(
  Array.from({ length: Number(concurrency) }, async () => {
    while (left > 0) {
      const body = `{"id":${1_000_000 + left},"name":"fern ${left}","tag":"indoor"}`
      left -= 1
      const response = await pool.request({ method: 'POST', path: '/plants', headers, body })
      if (response.statusCode !== 200) throw new Error(`the store answered ${response.statusCode}`)
      await response.body.text()
    }
  }),
)
process.stdout.write(`${(Number(count) * 1000) / (performance.now() - start)}\n`)
await pool.destroy()
