/** Names that documents give the parameters of lists, and what lists say of themselves. Compared without `-`, `_`, `[`, `]`, `$` and case. */

export const plainName = (name: string): string => name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()

export const isSameName = (left: string, right: string): boolean => plainName(left) === plainName(right)

const sizes =
  /^(limit|(page|per|max)(size|page|results|items|count|limit)|perpage|size|take|rows|pagelimit|first|top|itemsperpage|resultsperpage|maxresults)$/
const pages = /^(page|p|page(number|no|num|index)|currentpage)$/
const offsets = /^(offset|skip|start|startindex|startat|from|pageoffset)$/
const cursors =
  /^(cursor|after|startingafter|startafter|marker|continuation|continuationtoken|(next)?pagetoken|nextcursor|nexttoken|pagecursor|pageafter|aftercursor|exclusivestartkey)$/
const sorts = /^(sort|sortby|sorting|orderby|order|ordering|sortfield|sortkey|sortcolumn)$/
const directions = /^(order|direction|dir|sortorder|sortdir|sortdirection|orderdirection|orderdir)$/
const totals =
  /^(total|total(count|items|results|elements|records|size|hits|number|rows)|count|size|itemcount|resultcount|numfound|recordstotal|xtotalcount|xtotal)$/
const pageTotals = /^(totalpages?|pages|pagecount|lastpage|pagestotal|numpages|xtotalpages)$/
const mores = /^(hasmore|hasnext|hasnextpage|more|istruncated|moreavailable)$/
const selves = /^self(link|url|href)?$/
const earliers = /^(hasprevious|hasprev|hasprevpage|haspreviouspage)$/
const nexts =
  /^(next|nextpage|nextcursor|nextpagecursor|nextlink|nexturl|nextpageurl|nexttoken|nextpagetoken|endcursor|cursor|continuation|continuationtoken|marker|nextmarker|lastevaluatedkey)$/
const previouses =
  /^(prev|previous|previouspage|prevpage|prevcursor|previouscursor|prevurl|previousurl|prevlink|prevpageurl|previoustoken|startcursor|before)$/

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
