import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, platform } from 'node:os'
import { fileURLToPath } from 'node:url'

/** The machine on which the figures were measured. */
export const machine = (): string =>
  `${availableParallelism()} cores of ${cpus()[0]?.model.trim() ?? 'an unknown model'}, ${platform()}, Node ${process.versions.node}`

export const median = (values: readonly number[]): number =>
  [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN

/** A Markdown table. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')

/** Prints the section of a benchmark and, with `--write`, puts it in its place on a page of docs/. */
export const publish = (name: string, section: string, file = 'benchmarks.md'): void => {
  process.stdout.write(`${section}\n`)
  if (!process.argv.includes('--write')) return
  const [open, close] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
  const page = fileURLToPath(new URL(`../docs/${file}`, import.meta.url))
  const text = readFileSync(page, 'utf8')
  const [before, rest = ''] = text.split(open)
  if (!rest.includes(close)) throw new Error(`docs/${file} has no place for ${name}`)
  writeFileSync(
    page,
    `${before}${open}\n\n${section}\n\n${close}${rest.slice(rest.indexOf(close) + close.length)}`,
  )
}
