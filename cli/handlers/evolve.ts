import { evolve, isCounted } from '../../conformance/index.ts'
import { createPaint } from '../../spec/index.ts'
import { loadQuietly } from '../inputs/contract.ts'
import { usagesOf } from '../inputs/usages.ts'
import type { UsedByFlag } from '../options/pairs.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import { printDocumentText } from '../outputs/document-text.ts'
import { evolutionGithub, evolutionMarkdown, evolutionText } from '../outputs/evolution-text.ts'
import { exitCodes } from '../process/exit.ts'
import { isColoured, print } from '../process/terminal.ts'

export type EvolveFlags = Omit<SpecFlags, 'spec'> & {
  readonly oldServers: 'breaking' | 'risky' | 'ignore'
  readonly seed: number
  readonly usedBy?: UsedByFlag
  readonly format: 'text' | 'json' | 'markdown' | 'github'
}

/** Compares two documents of one API, prints the differences, and gives the exit code. */
export const runEvolve = async (old: string, now: string, flags: EvolveFlags): Promise<number> => {
  const { format, seed, oldServers, ...documentFlags } = flags
  // An overlay is part of what each version says.
  const load = (spec: string) => loadQuietly({ ...documentFlags, spec })
  const usedBy = usagesOf(flags.usedBy)
  const evolution = await evolve(await load(old), await load(now), {
    seed,
    oldServers: oldServers === 'ignore' ? null : oldServers,
    usedBy,
  })
  const write = {
    text: () => evolutionText(evolution, createPaint(isColoured(process.stdout))),
    json: () => JSON.stringify(evolution, null, 2),
    markdown: () => evolutionMarkdown(evolution),
    github: () => evolutionGithub(evolution),
  }[format]
  if (format === 'text') print(write())
  else printDocumentText(write(), format)
  return evolution.differences.some(isCounted) ? exitCodes.nonconformant : exitCodes.conformant
}
