import { styleText } from 'node:util'
import type { Standing } from './count.ts'

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'magenta'
export type Paint = (style: Style | readonly Style[], text: string) => string

/** Whether to colour is the caller's choice: the environment is not asked. */
export const createPaint =
  (colour: boolean): Paint =>
  (style, text) =>
    colour ? styleText(typeof style === 'string' ? style : [...style], text, { validateStream: false }) : text

export const colourOf: Readonly<Record<Standing, Style>> = {
  kept: 'green',
  broken: 'red',
  warning: 'yellow',
  mended: 'red',
  waived: 'cyan',
  accepted: 'cyan',
  inconclusive: 'magenta',
  untested: 'dim',
  observed: 'cyan',
}
