import { bodyLocation, locationText, type Pointer, type ValueLocation } from '../../spec/index.ts'

/** «`name` must have at least 1 character», for what the judges say with a pointer. */
export const valueReason = (at: ValueLocation, message: string): string => {
  const told = [at.place, `the ${at.in} parameter ${at.name}${at.place}`].find(
    each => each !== '' && message.startsWith(`${each} `),
  )
  return told === undefined ? message : `${locationText(at)}${message.slice(told.length)}`
}

/** A place in a body: «`name` in its body». */
export const bodyPlace = (body: string, place: Pointer): string =>
  place === '' ? body : `${locationText(bodyLocation(place))} in ${body}`
