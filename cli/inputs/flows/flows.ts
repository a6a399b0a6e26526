import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { VerifyOptions } from '../../../conformance/index.ts'
import {
  type Contract,
  type Flow,
  type Json,
  type OpenOther,
  parseJson,
  readFlows,
} from '../../../spec/index.ts'
import type { FlowFlags, FlowInputFlag } from '../../options/state-flags.ts'
import { UsageError } from '../../process/exit.ts'

/** The workflows of --arazzo with their inputs. Throws UsageError, and DocumentError with the lines that cannot be read. */
export const flowsOf = (
  { arazzo = [], arazzoInput }: FlowFlags,
  contract: Contract,
): Pick<VerifyOptions, 'flows' | 'flowInputs'> => {
  const flows = arazzo.flatMap(file => readFlows(textOf(file), file, contract, openOther))
  checkIds(flows)
  const flowInputs = inputsIn(arazzoInput)
  checkInputs(flows, flowInputs)
  return { flows, flowInputs }
}

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`--arazzo ${file} cannot be read: ${(error as Error).message}`)
  }
}

const openOther: OpenOther = (url, file) => {
  if (/^https?:/.test(url)) throw new UsageError(`${file}: ${url} is not read: name a file`)
  const path = join(dirname(file), url)
  return { text: textOf(path), file: path }
}

const checkIds = (flows: readonly Flow[]): void => {
  const seen = new Set<string>()
  for (const { id, place } of flows) {
    if (seen.has(id))
      throw new UsageError(`--arazzo: ${place.file}:${place.line}: the workflow ${id} is there twice`)
    seen.add(id)
  }
}

/** A misspelt input would silently leave the workflow without it. */
const checkInputs = (flows: readonly Flow[], inputs: Readonly<Record<string, Json>>): void => {
  const known = flows.flatMap(({ id, inputs: own }) =>
    Object.keys(own).flatMap(name => [name, `${id}.${name}`]),
  )
  const unknown = Object.keys(inputs).find(name => !known.includes(name))
  if (unknown !== undefined)
    throw new UsageError(
      `--arazzo-input ${unknown}: no workflow has this input${known.length === 0 ? '' : `; there are ${known.join(', ')}`}`,
    )
}

/** Values as JSON if they are, else as text. */
const inputsIn = (values: FlowInputFlag | undefined): Readonly<Record<string, Json>> =>
  Array.isArray(values)
    ? Object.fromEntries(
        values.map((pair: string) => {
          const at = pair.indexOf('=')
          return [pair.slice(0, at), jsonOrText(pair.slice(at + 1))]
        }),
      )
    : ((values ?? {}) as Readonly<Record<string, Json>>)

const jsonOrText = (text: string): Json => {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}
