// What other rooms use of JSON: values with exact numbers, pointers, texts.
export { compare, type Decimal, decimal, isInteger, isMultiple } from './decimal.ts'
export { define } from './define.ts'
export { asNode, type DocumentNode, follow, isNode } from './follow-refs.ts'
export {
  canonical,
  isArray,
  isNumber,
  isObject,
  isRawNumber,
  type Json,
  type JsonObject,
  numberText,
  parseJson,
  type RawNumber,
  rawNumber,
  readJson,
  sameJson,
  typeOf,
  writeJson,
} from './json.ts'
export { jsonCopy, localReference, type Pointer, parentOf, setAt, step, steps, valueAt } from './pointer.ts'
export { duplicateNames } from './scan.ts'
