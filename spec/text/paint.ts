import { styleText } from 'node:util'

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'magenta' | 'blue'
export type Paint = (style: Style | readonly Style[], text: string) => string

/** The caller decides whether to colour; the environment is not consulted. */
export const createPaint =
  (colour: boolean): Paint =>
  (style, text) =>
    colour ? styleText(typeof style === 'string' ? style : [...style], text, { validateStream: false }) : text
