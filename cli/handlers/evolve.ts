import { evolve } from '../../conformance/index.ts'
import { createPaint } from '../../spec/index.ts'
import { loadQuietly } from '../inputs/contract.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import { printDocumentText } from '../outputs/document-text.ts'
import { evolutionGithub, evolutionMarkdown } from '../outputs/evolution-markup.ts'
import { evolutionText } from '../outputs/evolution-text.ts'
import { exitCodes } from '../process/exit.ts'
import { isColoured, print } from '../process/terminal.ts'

export type EvolveFlags = Omit<SpecFlags, 'spec'> & {
  readonly oldServers: 'breaking' | 'risky' | 'ignore'
  readonly seed: number
  readonly format: 'text' | 'json' | 'markdown' | 'github'
}

/** Compares two documents of one API, prints the differences, and gives the exit code. */
export const runEvolve = async (old: string, now: string, flags: EvolveFlags): Promise<number> => {
  const { format, seed, oldServers, networkRefs, refFolder, strictDocument } = flags
  const load = (spec: string) => loadQuietly({ spec, networkRefs, refFolder, strictDocument })
  const evolution = await evolve(await load(old), await load(now), {
    seed,
    oldServers: oldServers === 'ignore' ? null : oldServers,
  })
  const write = {
    text: () => evolutionText(evolution, createPaint(isColoured(process.stdout))),
    json: () => JSON.stringify(evolution, null, 2),
    markdown: () => evolutionMarkdown(evolution),
    github: () => evolutionGithub(evolution),
  }[format]
  if (format === 'text') print(write())
  else printDocumentText(write(), format)
  return evolution.differences.some(({ level }) => level === 'breaking')
    ? exitCodes.nonconformant
    : exitCodes.conformant
}
