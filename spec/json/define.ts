/** Gives an object a property of any name: assigning to `__proto__` would set the prototype instead. */
export const define = <T>(object: Record<string, T>, name: string, value: T): void => {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  else object[name] = value
}
