import { type Json, singular } from '../../../spec/index.ts'

/** Other spellings of a name, each the name of something else: a reader that folds names takes them for this one. */
export const spellingsOf = (name: string): readonly string[] =>
  [
    name.toUpperCase(),
    ` ${name} `,
    `_${name}`,
    name.charAt(0).toUpperCase() + name.slice(1),
    `${name} `,
    `${name}_`,
    name.replace(/(?<![_-])[_-]+(\w)/g, (_, letter: string) => letter.toUpperCase()),
    name.replace(/(?<=[a-z\d])[A-Z]/g, letter => `_${letter.toLowerCase()}`),
    name.replaceAll('_', '-'),
    `-${name}`,
    `${name}[]`,
    `$${name}`,
    `@${name}`,
    `${name}\u0000`,
    `\ufeff${name}`,
    `${name}s`,
  ].filter((spelling, index, all) => spelling !== name && all.indexOf(spelling) === index)

/** A value in what clients put around one, which may be named after the last part of the path: `{ plant: … }` for `/plants`. */
export const wrappersOf = (value: Json, path: string): readonly Json[] => {
  const instance = path.match(/[A-Za-z]\w*(?![^{]*\})/g)?.at(-1) ?? 'thing'
  return [
    { data: value },
    { [singular(instance)]: value },
    { body: value },
    { x: value },
    { data: { type: instance, attributes: value } },
    { items: [value] },
    { [instance]: [value] },
    { '': value },
  ]
}
