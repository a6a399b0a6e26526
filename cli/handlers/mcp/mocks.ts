import { type OwnCommand, startSelf } from '../../process/run-self.ts'

/** The mock servers that an agent has started. */
export type Mocks = {
  /** Starts one, and gives its URL. Throws what the command says if it cannot start. */
  readonly start: (spec: string) => Promise<string>
  /** Whether there was one with this URL. */
  readonly stop: (url: string) => boolean
  readonly stopAll: () => void
}

export const createMocks = (): Mocks => {
  const running = new Map<string, OwnCommand>()
  return {
    start: spec =>
      new Promise((resolve, reject) => {
        const command = startSelf(['mock', `--spec=${spec}`, '--port=0', '--host=127.0.0.1'])
        const { child } = command
        let printed = ''
        const read = (text: string): void => {
          printed += text
          const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0]
          if (url === undefined || running.has(url)) return
          running.set(url, command)
          resolve(url)
        }
        for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', read)
        child.once('error', reject)
        child.once('close', () => {
          for (const [url, each] of running) if (each === command) running.delete(url)
          reject(new Error(printed.trim()))
        })
      }),
    stop: url => {
      const command = running.get(url)
      command?.end()
      return running.delete(url)
    },
    stopAll: () => {
      for (const command of running.values()) command.end()
    },
  }
}
