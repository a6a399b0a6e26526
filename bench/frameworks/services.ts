import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, installNode, installPython, run, venv } from './processes.ts'

/** A service that writes its own document. The commands run in the folder where it is installed. */
export type Service = {
  /** Programs that it takes to install and start it. */
  readonly needs: readonly Command[]
  readonly install: (folder: string) => void
  readonly command: (folder: string, port: number) => Command
  /** The path of its document. */
  readonly document: string
  /** What its tests send as credentials; default: `secret-token`. */
  readonly token?: string
}

const node: Command = ['npm', '--version']
const python: Command = ['python3', '-m', 'venv', '--help']

const gunicorn = (folder: string, port: number, app: string): Command => [
  venv(folder, 'gunicorn'),
  // One process: what a service keeps is in its memory.
  ...['--workers', '1', '--threads', '8', '--log-level', 'critical', '--no-control-socket'],
  ...['--bind', `127.0.0.1:${port}`, app],
]

export const services: Readonly<Record<string, Service>> = {
  fastapi: {
    needs: [python],
    install: installPython,
    command: (folder, port) => [
      venv(folder, 'uvicorn'),
      '--log-level',
      'critical',
      '--port',
      String(port),
      'main:app',
    ],
    document: '/openapi.json',
  },
  drf: {
    needs: [python],
    install: installPython,
    command: (folder, port) => gunicorn(folder, port, 'shop:app'),
    document: '/schema/?format=json',
    token: 'Token secret-token',
  },
  'flask-smorest': {
    needs: [python],
    install: installPython,
    command: (folder, port) => gunicorn(folder, port, 'kennel:app'),
    document: '/openapi.json',
  },
  fastify: {
    needs: [node],
    install: installNode,
    command: folder => [process.execPath, join(folder, 'server.js')],
    document: '/openapi.json',
  },
  tsoa: {
    needs: [node],
    install: folder => {
      installNode(folder)
      mkdirSync(join(folder, 'build'), { recursive: true })
      run(folder, ['npx', 'tsoa', 'spec-and-routes'])
      run(folder, ['npx', 'tsc'])
    },
    command: folder => [process.execPath, join(folder, 'dist/src/server.js')],
    document: '/openapi.json',
  },
  nestjs: {
    needs: [node],
    install: folder => {
      installNode(folder)
      run(folder, ['npx', 'tsc'])
    },
    command: folder => [process.execPath, join(folder, 'dist/main.js')],
    document: '/api-json',
  },
  huma: {
    needs: [['go', 'version']],
    install: folder => run(folder, ['go', 'build', '-o', 'service', '.']),
    command: folder => [join(folder, 'service')],
    document: '/openapi.json',
  },
  axum: {
    needs: [['cargo', '--version']],
    install: folder => run(folder, ['cargo', 'build', '--release', '--quiet']),
    command: folder => [join(folder, 'target/release/service')],
    document: '/openapi.json',
  },
  springdoc: {
    needs: [
      ['mvn', '--version'],
      ['java', '-version'],
    ],
    install: folder => run(folder, ['mvn', '--quiet', '--batch-mode', 'package']),
    command: (folder, port) => ['java', '-jar', join(folder, 'target/service.jar'), `--server.port=${port}`],
    document: '/v3/api-docs',
  },
}
