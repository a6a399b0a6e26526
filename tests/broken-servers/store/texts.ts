import { type Fault, onPlant } from './faults.ts'
import type { NewPlant } from './model.ts'

export const text = (classes: string) =>
  new RegExp(`^createPlant/(request/(body/(name|tag)/.*(${classes})|layout/|size/)|response/declared)`)
export const tag = (classes: string) =>
  new RegExp(`^createPlant/(request/body/(tag/.*(${classes})|presence)|request/size|response/declared)`)

export type Matches = (text: string) => boolean

export const texts = ({ name, tag }: NewPlant) => (tag === undefined ? [name] : [name, tag])

export const either = (matches: Matches, fault: Fault) => onPlant(plant => texts(plant).some(matches), fault)
export const ofName = (matches: Matches, fault: Fault) => onPlant(plant => matches(plant.name), fault)
export const ofTag = (matches: Matches, fault: Fault) =>
  onPlant(plant => plant.tag !== undefined && matches(plant.tag), fault)

export const has =
  (pattern: RegExp): Matches =>
  value =>
    pattern.test(value)
export const longer =
  (most: number): Matches =>
  value =>
    value.length > most

export const astral = /[\u{10000}-\u{10ffff}]/u
export const rightToLeft = /[\u0590-\u08ff]/
export const combining = /\p{M}/u
export const accented = /[\u00c0-\u024f]/
export const beyondAscii = /[^\p{ASCII}]/u
