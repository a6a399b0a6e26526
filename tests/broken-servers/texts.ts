import { type Failing, onPlant } from './faults.ts'
import type { NewPlant } from './model.ts'

export const text = (classes: string) =>
  new RegExp(`^createPlant/(request/(body/(name|tag)/.*(${classes})|layout/|size/)|response/declared)`)
export const tag = (classes: string) =>
  new RegExp(`^createPlant/(request/body/(tag/.*(${classes})|presence)|request/size|response/declared)`)

export type Looks = (text: string) => boolean

export const texts = ({ name, tag }: NewPlant) => (tag === undefined ? [name] : [name, tag])

export const either = (looks: Looks, failing: Failing) => onPlant(plant => texts(plant).some(looks), failing)
export const ofName = (looks: Looks, failing: Failing) => onPlant(plant => looks(plant.name), failing)
export const ofTag = (looks: Looks, failing: Failing) =>
  onPlant(plant => plant.tag !== undefined && looks(plant.tag), failing)

export const has =
  (pattern: RegExp): Looks =>
  given =>
    pattern.test(given)
export const longer =
  (most: number): Looks =>
  given =>
    given.length > most

export const astral = /[\u{10000}-\u{10ffff}]/u
export const rightToLeft = /[\u0590-\u08ff]/
export const combining = /\p{M}/u
export const accented = /[\u00c0-\u024f]/
export const beyondAscii = /[^\p{ASCII}]/u
