import { fileURLToPath } from 'node:url'
import type { Command } from '../frameworks/processes.ts'
import { findSchemathesis } from '../schemathesis.ts'
import type { Product } from './products.ts'

/** What a tool is told. */
type Task = {
  readonly product: Product
  readonly url: string
  readonly document: string
  readonly seconds: number
  readonly seed: number
}

export type Tool = 'ours' | 'schemathesis'

export const allTools: readonly Tool[] = ['ours', 'schemathesis']

export const isTool = (name: string): name is Tool => Object.hasOwn(commands, name)

const cli = fileURLToPath(new URL('../../cli/main.js', import.meta.url))

/** The product is thrown away after the run, so both tools may send whatever the document has. */
const commands: Readonly<Record<Tool, (task: Task) => Command>> = {
  ours: ({ product, url, document, seconds, seed }) => [
    ...([process.execPath, cli, 'verify', url, '--no-config', '--spec', document] as const),
    ...['--max-time', `${seconds}s`, '--seed', String(seed), '--include', '*'],
    ...(product.never ?? []).flatMap(path => ['--never', path]),
    ...(product.credentials?.flags ?? []),
  ],
  schemathesis: ({ product, url, document, seconds, seed }) => {
    const found = findSchemathesis()
    if ('missing' in found) throw new Error(found.missing)
    return [
      ...([found.program, 'run', document, '--url', url] as const),
      ...['--max-time', String(seconds), '--seed', String(seed), '--continue-on-failure'],
      ...(product.never ?? []).flatMap(path => ['--exclude-path', path]),
      ...(product.credentials === undefined ? [] : ['--header', product.credentials.header]),
    ]
  },
}

export const commandOf = (tool: Tool, task: Task): Command => commands[tool](task)

/** The commands as a reader would type them, without what is particular to a product. */
export const shownCommands = (seconds: number): Readonly<Record<Tool, string>> => ({
  ours: `plantstore verify URL --spec DOCUMENT --max-time ${seconds}s --seed N --include '*'`,
  schemathesis: `schemathesis run DOCUMENT --url URL --max-time ${seconds} --seed N --continue-on-failure`,
})
