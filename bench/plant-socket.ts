/** The same small POST, on a connection of our own: what a client library takes is not measured with it. */
import { connect, type Socket } from 'node:net'

const body = '{"id":1,"name":"Fern"}'

/** A valid request of the plant store. */
export const plantBytes = `POST /plants HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

export const openSocket = (url: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.setNoDelay(true).once('error', reject)
    socket.once('connect', () => resolve(socket))
  })

/** Milliseconds from a request to its response. */
export const postPlant = (socket: Socket): Promise<number> => {
  const start = performance.now()
  socket.write(plantBytes)
  return new Promise((resolve, reject) => {
    socket.once('data', (response: Buffer) => {
      if (response.toString('latin1', 9, 12) === '200') resolve(performance.now() - start)
      else reject(new Error(`the mock answered ${response}`))
    })
  })
}
