import { parseArgs } from 'node:util'
import { products } from './products.ts'
import { isTool, type Tool } from './tools.ts'

export type Options = {
  readonly names: readonly string[]
  readonly tools: readonly Tool[]
  readonly seconds: number
  readonly seeds: readonly number[]
  /** Judges the runs that are there, and starts none. */
  readonly isJudgedOnly: boolean
  /** Keeps the figures in the repository. */
  readonly isWritten: boolean
}

/** Reads the arguments; throws with what is wrong in them. */
export const readOptions = (args: readonly string[]): Options => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '60' },
      seeds: { type: 'string', default: '1' },
      tools: { type: 'string', default: 'ours,schemathesis' },
      'judge-only': { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  const unknown = positionals.filter(name => !Object.hasOwn(products, name))
  if (unknown.length > 0)
    throw new Error(
      `there is no service ${unknown.join(', ')}; there are ${Object.keys(products).join(', ')}`,
    )
  const tools = values.tools.split(',').map(name => {
    if (!isTool(name)) throw new Error(`--tools: there is no ${name}; there are ours and schemathesis`)
    return name
  })
  const seeds = countOf('--seeds', values.seeds)
  return {
    names: positionals.length > 0 ? positionals : Object.keys(products),
    tools,
    seconds: countOf('--seconds', values.seconds),
    seeds: Array.from({ length: seeds }, (_, index) => index + 1),
    isJudgedOnly: values['judge-only'],
    isWritten: values.write,
  }
}

const countOf = (flag: string, text: string): number => {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new Error(`${flag}: ${text} is no number from 1 on`)
  return value
}
