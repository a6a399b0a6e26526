/**
 * What a request can show. A value that its location, style or type cannot show is never demanded, and what looks like it is never
 * accused. The suite asks here before it sends a value, the obligations before they ask for one, and the judges read what is absent by it.
 */
import type { BodyFormat, Parameter } from '../contract/contract.ts'
import { isArray, isObject, type Json } from '../json/json.ts'
import { type Pointer, steps } from '../json/pointer.ts'
import type { SchemaPlace } from '../schema/locations.ts'
import { fits, memberPlace, typesIn, variantsOf } from '../schema/variants.ts'
import { fieldOf } from './form-body.ts'
import { cookiePairs, queryPairs, readParameter } from './parse-parameter.ts'
import { hasSameTexts, readScalar } from './read-text.ts'
import { scalarText, writeParameter } from './serialize-parameter.ts'

/** Whether a request can show that a parameter has this value. `root`: null if nothing describes it. */
export const isShown = (parameter: Parameter, root: SchemaPlace | null, value: Json): boolean => {
  const { content, style } = parameter
  if (value === '' && parameter.allowEmpty !== null) return parameter.allowEmpty
  if (content === null && !(style === 'deepObject' ? isDeepText(value, root) : isFlatText(value, root)))
    return false
  if (!isEveryText(value, text => text.isWellFormed() && (style !== 'cookie' || isCookieText(text))))
    return false
  const written = writeParameter(parameter, value)
  if (parameter.in === 'path' && !isSegment(written.path ?? '')) return false
  if (content !== null) return true
  if (isRepeated(parameter, value) && (parameter.in === 'cookie' || isRightAlone(root, value))) return false
  const back = readParameter(parameter, root, {
    path: { [parameter.name]: written.path ?? '' },
    query: queryPairs(written.query ?? ''),
    header: () => written.header,
    cookie: cookiePairs(written.cookie ?? ''),
    names: new Set([parameter.name]),
  })
  return back !== undefined && hasSameTexts(value, back, scalarText)
}

/** Whether a body can show this value: each field of a form, and each part, for itself. */
export const isShownIn = (format: BodyFormat, root: SchemaPlace, value: Json): boolean => {
  if (!isObject(value)) return format.kind !== 'form' && format.kind !== 'multipart'
  switch (format.kind) {
    case 'form':
      return Object.entries(value).every(
        ([name, item]) =>
          !format.unread.includes(name) &&
          variantsOf(root).some(variant =>
            isShown(fieldOf(format.fields, name), memberPlace(variant, name), item),
          ),
      )
    case 'multipart':
      return Object.entries(value).every(([name, item]) => {
        const part = format.parts.find(each => each.name === name)
        if (part === undefined) return isFlatText(item, null)
        const { format: inside, isList } = part
        if (inside.kind === 'json' && !isList) return true
        const items = isList && isArray(item) ? item : [item]
        const isOne = (each: Json): boolean =>
          inside.kind === 'json' ||
          (!isArray(each) && !isObject(each) && isText(each, 'root' in inside ? inside.root : null))
        return items.length > 0 && items.every(isOne)
      })
    default:
      return true
  }
}

/**
 * Whether a request can show values at a place inside of a parameter. Only `deepObject` has names for what is inside of a member, and
 * styles for what is in an exploded object are undefined (RFC 6570, 2.4.2).
 */
export const isPlaceShown = ({ content, style }: Parameter, root: SchemaPlace, at: Pointer): boolean => {
  if (content !== null || at === '' || style === 'deepObject') return true
  const [name = '', ...rest] = steps(at)
  return (
    rest.length === 0 &&
    variantsOf(root).some(variant => {
      const member = memberPlace(variant, name)
      return member !== null && hasScalar(member)
    })
  )
}

/** Whether a request can show any value of a place that a parameter is described by: not of null, nor of a list of lists. */
export const isAnyShown = ({ content, style }: Parameter, place: SchemaPlace): boolean =>
  content !== null ||
  variantsOf(place).some(variant => {
    const types = typesIn(variant)?.filter(type => type !== 'null') ?? null
    if (types === null) return true
    const isList = types.includes('array') || types.includes('object')
    return (
      types.some(type => type !== 'array' && type !== 'object') ||
      (isList &&
        (style === 'deepObject' || variant.children.length === 0 || variant.children.some(hasScalar)))
    )
  })

/** The names of the members of a parameter that no style can write: what comes for them is not judged. */
export const unreadNames = (parameter: Parameter, root: SchemaPlace): readonly string[] =>
  parameter.content !== null || parameter.style === 'deepObject'
    ? []
    : [
        ...new Set(
          variantsOf(root).flatMap(variant =>
            variant.properties.filter(name => {
              const member = memberPlace(variant, name)
              return member !== null && !isAnyShown(parameter, member)
            }),
          ),
        ),
      ]

/** Whether a parameter is an object whose members are parameters of their own. */
export const isSpread = ({ content, style, explode, in: part }: Parameter): boolean =>
  content === null && explode && style !== 'deepObject' && (part === 'query' || part === 'cookie')

const hasScalar = (place: SchemaPlace): boolean =>
  typesIn(place)?.some(type => type !== 'array' && type !== 'object' && type !== 'null') !== false

/** Texts, lists of texts and objects of texts: not null, which no style writes, nor what has no members. */
const isFlatText = (value: Json, root: SchemaPlace | null): boolean => {
  if (!isArray(value) && !isObject(value)) return isText(value, root)
  const members = isArray(value) ? value : Object.values(value)
  // One empty text in a list, and none at all, are written alike.
  if (members.length === 0 || (isArray(value) && members.length === 1 && members[0] === '')) return false
  const types = root === null ? null : typesIn(root)
  // Servers differ in which of several values they take if they expect one.
  if (types !== null && !types.includes(isArray(value) ? 'array' : 'object')) return false
  return members.every(each => each !== null && !isArray(each) && !isObject(each))
}

/** A number, a boolean and so on without any text looks like no value. */
const isText = (value: Json, root: SchemaPlace | null): boolean =>
  value !== null && (value !== '' || root === null || typesIn(root)?.includes('string') !== false)

/** What is inside of a member has a name only if the schema says that there is something inside. */
const isDeepText = (value: Json, place: SchemaPlace | null): boolean => {
  if (!isArray(value) && !isObject(value)) return value !== null
  const types = place === null ? null : typesIn(place)
  const members = Object.entries(value as Readonly<Record<string, Json>>)
  return (
    place !== null &&
    members.length > 0 &&
    types?.includes(isArray(value) ? 'array' : 'object') !== false &&
    members.every(([name, member]) =>
      variantsOf(place).some(variant => isDeepText(member, memberPlace(variant, name))),
    )
  )
}

const isEveryText = (value: Json, holds: (text: string) => boolean): boolean =>
  isArray(value)
    ? value.every(item => isEveryText(item, holds))
    : isObject(value)
      ? Object.entries(value).every(([name, item]) => holds(name) && isEveryText(item, holds))
      : holds(scalarText(value))

/** Nothing is escaped in the style `cookie` of OpenAPI 3.2 (RFC 6265, 4.1.1). */
const isCookieText = (text: string): boolean => /^[!#-+\--:<-[\]-~]*$/.test(text)

/** Servers, and proxies before them, take an escaped slash for one (RFC 3986, 6.2.2.3 and 7.3), and nothing or dots for another path. */
const isSegment = (text: string): boolean => !/^\.{0,2}$|%2f|%5c/i.test(text)

/** Whether the same name comes several times: in a cookie that is not defined, and elsewhere a server may read one of them. */
const isRepeated = ({ explode, in: part, style }: Parameter, value: Json): boolean =>
  explode && style === 'form' && (part === 'query' || part === 'cookie') && isArray(value) && value.length > 1

/** Whether several values are wrong together, but right for who reads one of them. */
const isRightAlone = (root: SchemaPlace | null, value: Json): boolean =>
  root !== null &&
  isArray(value) &&
  !fits(root, value) &&
  value.some(item => fits(root, readScalar(scalarText(item), root)))
