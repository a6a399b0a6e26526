/**
 * The one vocabulary of names: what properties and parameters are usually called. Names are compared without case and without what is no
 * letter or digit. It holds guesses, so whoever asks it has to do without an answer: a name that it does not have means nothing.
 */

export const plainName = (name: string): string => name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()

export const isSameName = (left: string, right: string): boolean => plainName(left) === plainName(right)

const sizes =
  /^(limit|(page|per|max)(size|page|results|items|count|limit)|perpage|size|take|rows|pagelimit|first|top|itemsperpage|resultsperpage|maxresults)$/
const pages = /^(page|p|page(number|no|num|index)|currentpage)$/
const offsets = /^(offset|skip|start|startindex|startat|from|pageoffset)$/
const cursors =
  /^(cursor|after|startingafter|startafter|marker|continuation|continuationtoken|(next)?pagetoken|nextcursor|nexttoken|next|pagecursor|pageafter|aftercursor|exclusivestartkey)$/
const sorts = /^(sort|sortby|sorting|orderby|order|ordering|sortfield|sortkey|sortcolumn)$/
const directions = /^(order|direction|dir|sortorder|sortdir|sortdirection|orderdirection|orderdir)$/
const totals =
  /^(total|total(count|items|results|elements|records|size|hits|number|rows)|count|size|itemcount|resultcount|numfound|recordstotal|xtotalcount|xtotal)$/
/** May be the number of the items on the page as well. */
const counts = /^(count|itemcount|resultcount)$/
const pageTotals = /^(totalpages?|pages|pagecount|lastpage|pagestotal|numpages|xtotalpages)$/
const mores = /^(hasmore|hasnext|hasnextpage|more|istruncated|moreavailable)$/
const selves = /^self(link|url|href)?$/
const earliers = /^(hasprevious|hasprev|hasprevpage|haspreviouspage)$/
const nexts =
  /^(next|nextpage|nextcursor|nextpagecursor|nextlink|nexturl|nextpageurl|nexttoken|nextpagetoken|endcursor|cursor|continuation|continuationtoken|marker|nextmarker|lastevaluatedkey)$/
const previouses =
  /^(prev|previous|previouspage|prevpage|prevcursor|previouscursor|prevurl|previousurl|prevlink|prevpageurl|previoustoken|startcursor|before)$/

const searches =
  /^(q|query|search|searchterm|filters?|where|fields?|include|exclude|expand|embed|select|lang|language|locale|format|pretty)$/

/** Whether a query parameter of this name is known not to ask for another page. */
export const isSearchName = (name: string): boolean => searches.test(plainName(name))

export type ParameterKind = 'size' | 'page' | 'offset' | 'cursor' | 'sort' | 'direction'

/** What a query parameter of this name does to a list; null: nothing that is known. */
export const parameterKind = (name: string): ParameterKind | null => {
  const plain = plainName(name)
  if (sizes.test(plain)) return 'size'
  if (pages.test(plain)) return 'page'
  if (offsets.test(plain)) return 'offset'
  if (cursors.test(plain)) return 'cursor'
  return sorts.test(plain) ? 'sort' : directions.test(plain) ? 'direction' : null
}

/** Whether a parameter may be the direction of another one. */
export const isDirection = (name: string): boolean => directions.test(plainName(name))

export type SummaryKind =
  | 'total'
  | 'pages'
  | 'more'
  | 'earlier'
  | 'next'
  | 'previous'
  | 'size'
  | 'page'
  | 'offset'
  | 'self'

/** What a property beside a list says of it; null: nothing that is known. */
export const summaryKind = (name: string): SummaryKind | null => {
  const plain = plainName(name)
  // `size` beside a list is that of the page if there is a better name for the total.
  if (totals.test(plain) && plain !== 'size') return 'total'
  if (pageTotals.test(plain)) return 'pages'
  if (mores.test(plain)) return 'more'
  if (earliers.test(plain)) return 'earlier'
  if (selves.test(plain)) return 'self'
  if (nexts.test(plain)) return 'next'
  if (previouses.test(plain)) return 'previous'
  if (sizes.test(plain)) return 'size'
  if (pages.test(plain)) return 'page'
  return offsets.test(plain) ? 'offset' : null
}

/** Whether a total of this name may be the number of the items on the page. */
export const isCountName = (name: string): boolean => counts.test(plainName(name))

/** Whether a name is that of where the next part of a list begins. */
export const isCursorName = (name: string): boolean =>
  parameterKind(name) === 'cursor' || summaryKind(name) === 'next'

/** Names of the list in an object, the likeliest first. */
export const listNames = [
  'items',
  'data',
  'results',
  'result',
  'records',
  'entries',
  'values',
  'content',
  'list',
  'rows',
  'hits',
  'elements',
  'nodes',
  'objects',
  'resources',
  'value',
]

/** What tells resources apart is usually called, the likeliest first. `singular`: `order` for orders; empty if that is not known. */
export const identityNames = (singular = ''): readonly string[] =>
  singular === ''
    ? ['id', '_id', 'uuid', 'guid', 'pk', 'key']
    : ['id', '_id', `${singular}Id`, `${singular}_id`, 'uuid', 'guid', 'pk', 'key', `${singular}Number`]

/** Words in the name of a parameter that say what kind of name it has, and not of what. */
export const isIdentityWord = (word: string): boolean =>
  /^(id|uuid|guid|key|name|slug|code|number|ref|reference)$/.test(word)

const ways = /^(by)?(id|uuid|guid|name|slug)$/

/** Whether a segment of a path says by what the next one names something: `id`, `by-name`. */
export const saysHow = (segment: string): boolean => ways.test(plainName(segment))

const ids = /^(id|pk|uuid|guid)$/

/** Whether a property of this name is that of the very object that has it, and of nothing else. */
export const isOwnId = (name: string): boolean => ids.test(plainName(name))

const naming = /^(id|pk|name|key|slug|code|username|login|uuid|guid)$/

/** Whether a property of this name often is what a path takes. */
export const isNamingName = (name: string): boolean => naming.test(plainName(name))

const actions = /^(all|search|filter|find|list|query|count|paginate|me|get|history|batch|bulk|lookup)$/

/** Whether a segment of a path says what is done or where, and not with what. */
export const isActionName = (segment: string): boolean =>
  isPrefixName(segment) || actions.test(plainName(segment))

const waits =
  /^(delay|wait|sleep|timeout|duration|interval|seconds?|secs?|millis|milliseconds?|ms)(seconds?|secs?|millis|milliseconds?|ms)?$/

/** Whether a value of this name usually is a time that the server takes for its answer. */
export const isWaitName = (name: string): boolean => waits.test(plainName(name))

const prefixes = /^(v\d+|api|rest)$/
const creations = /^(create|add|new|register|insert)$/

/** Whether a segment of a path only says which API it is. */
export const isPrefixName = (segment: string): boolean => prefixes.test(plainName(segment))

/** Whether a word of a path says that something is created. */
export const isCreationWord = (word: string): boolean => creations.test(word)

/** `order` for `orders`, in English. */
export const singular = (text: string): string =>
  text
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/([^s])s$/, '$1')

const logIns =
  /^(log(in|on)|sign(in|on)|sso|oauth2?|oidc|openidconnect|saml2?|cas|auth|authenticate|authorize|authentication|authorization)$/

/** Whether a segment of a path is usually where people log in. */
export const isLogInName = (name: string): boolean => logIns.test(plainName(name))

const stamps = '(at|on|time|timestamp|date|by)'
const owned = [
  new RegExp(`^(created|updated|modified|changed|last(modified|updated|changed|update|change))${stamps}?$`),
  new RegExp(`^(create|creation|update|modification|inserted|deleted|delete)${stamps}$`),
  /^(etag|revision|rev|version|resourceversion|links?|href|self|url)$/,
]

/** Whether servers usually set a property of this name themselves, whatever they are sent. */
export const isServerOwned = (name: string): boolean => owned.some(pattern => pattern.test(plainName(name)))

/** Names of dates: those of one entry come in the order of its patterns. */
export const dateOrders: readonly (readonly RegExp[])[] = [
  [
    /^(creat(ed|e_?time|ion)|inserted|registered|ordered|placed|issued|added|joined|submitted|booked)/i,
    /^(updated?|modified|changed|edited|last|paid|shipped|delivered|published|closed|completed|cancel|deleted?|archived|resolved)/i,
  ],
  [
    /^(start|begin|from|check_?in|departure|valid_?from|opens)/i,
    /^(end|until|to_|to$|check_?out|arrival|valid_?(to|until)|expir|closes)/i,
  ],
]
