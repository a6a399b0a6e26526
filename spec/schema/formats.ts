import type { Ajv2020 } from 'ajv/dist/2020.js'
import formatsPlugin from 'ajv-formats'

const addAll = formatsPlugin as unknown as (ajv: Ajv2020) => void

/** An offset is `Z`, or hours, a colon and minutes (RFC 3339, 5.6). Ajv takes `+0200` and `+02` as well. */
const endsInOffset = (text: string): boolean => /(?:z|[+-]\d\d:\d\d)$/i.test(text)

/** The formats of ajv-formats, and times with offsets of RFC 3339 only. */
export const addFormats = (ajv: Ajv2020): void => {
  addAll(ajv)
  for (const name of ['date-time', 'time']) {
    const format = ajv.formats[name]
    if (typeof format !== 'object' || format instanceof RegExp || typeof format.validate !== 'function')
      continue
    const validate = format.validate as (text: string) => boolean
    ajv.addFormat(name, {
      ...format,
      validate: (text: string) => endsInOffset(text) && validate(text),
    } as Parameters<Ajv2020['addFormat']>[1])
  }
}
