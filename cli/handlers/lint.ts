import { gapSummary, gapsOf } from '../../spec/index.ts'
import { contractOf } from '../inputs/contract.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import { printDocumentText } from '../outputs/document-text.ts'

export type LintFlags = SpecFlags & { readonly format: 'text' | 'json' }

/** Prints what the document leaves open. */
export const lint = async (flags: LintFlags): Promise<void> => {
  const gaps = gapsOf(await contractOf(flags))
  const text = (): string =>
    gaps.length === 0
      ? 'no gaps: every operation declares what answers valid and invalid requests'
      : [
          ...gaps.map(
            ({ operation, message, place }) => `${place.file}:${place.line}: ${operation} ${message}`,
          ),
          '',
          `${gaps.length} ${gaps.length === 1 ? 'gap' : 'gaps'}: ${gapSummary(gaps)}`,
        ].join('\n')
  printDocumentText(flags.format === 'json' ? JSON.stringify(gaps, null, 2) : text(), flags.format)
}
