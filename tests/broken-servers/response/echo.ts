import type { BrokenServer, NewPlant, Parts } from '../store/model.ts'
import { rowsOf } from '../store/row.ts'

const row = rowsOf('response')

const echo = (place: string) =>
  new RegExp(`^createPlant/(response/200/(echo|body/${place})|stability/pairing)`)

const plant = (of: (plant: NewPlant) => unknown): Partial<Parts> => ({ plant: of })

/** Changes the strings of the Plant. */
const changed = (change: (text: string) => string): Partial<Parts> =>
  plant(({ name, tag }) =>
    tag === undefined ? { name: change(name) } : { name: change(name), tag: change(tag) },
  )

const should = { level: 'SHOULD' } as const

const escapeMarkup = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const unescapePercent = (text: string) =>
  text.replace(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))

/** Plants of the right shape, but not the ones that were sent. */
export const echoServers: readonly BrokenServer[] = [
  row(
    'echoes-trimmed',
    'White space around strings is lost.',
    echo('.*'),
    changed(text => text.trim()),
    should,
  ),
  row(
    'echoes-lower-case',
    'Strings come back in lower case.',
    echo('.*'),
    changed(text => text.toLowerCase()),
    should,
  ),
  row(
    'echoes-upper-case-tag',
    'The tag comes back in upper case.',
    echo('tag'),
    plant(({ name, tag }) => ({ name, tag: tag?.toUpperCase() })),
    should,
  ),
  row(
    'echoes-composed',
    'Combining characters come back composed.',
    echo('.*'),
    changed(text => text.normalize('NFC')),
    should,
  ),
  row(
    'echoes-decomposed',
    'Accented letters come back decomposed.',
    echo('.*'),
    changed(text => text.normalize('NFD')),
    should,
  ),
  row('echoes-escaped-markup', 'Markup comes back escaped.', echo('.*'), changed(escapeMarkup), should),
  row(
    'echoes-without-markup',
    'Markup is removed.',
    echo('.*'),
    changed(text => text.replace(/<[^>]*>/g, '')),
    should,
  ),
  row(
    'echoes-cut-at-255',
    'Strings are cut at 255 characters.',
    echo('.*'),
    changed(text => text.slice(0, 255)),
    should,
  ),
  row(
    'echoes-cut-at-100',
    'Strings are cut at 100 characters.',
    echo('.*'),
    changed(text => text.slice(0, 100)),
    should,
  ),
  row(
    'echoes-cut-at-nul',
    'Strings end at NUL.',
    echo('.*'),
    changed(text => text.split('\0')[0] ?? ''),
    should,
  ),
  row(
    'echoes-without-control-characters',
    'Control characters are lost.',
    echo('.*'),
    changed(text => text.replace(/\p{Cc}/gu, '')),
    should,
  ),
  row(
    'echoes-without-astral-characters',
    'Characters beyond the first plane are lost.',
    echo('.*'),
    changed(text => text.replace(/[\u{10000}-\u{10ffff}]/gu, '')),
    should,
  ),
  row(
    'echoes-mojibake',
    'UTF-8 comes back misread as Latin-1.',
    echo('.*'),
    changed(text => Buffer.from(text).toString('latin1')),
    should,
  ),
  row(
    'echoes-question-marks',
    'Characters beyond Latin-1 come back as question marks.',
    echo('.*'),
    changed(text => text.replace(/[^\u0000-\u00ff]/g, '?')),
    should,
  ),
  row(
    'echoes-single-spaces',
    'Runs of white space come back as one space.',
    echo('.*'),
    changed(text => text.replace(/\s+/g, ' ')),
    should,
  ),
  row(
    'echoes-unix-newlines',
    'Every line ending comes back as a line feed.',
    echo('.*'),
    changed(text => text.replaceAll('\r\n', '\n')),
    should,
  ),
  row('echoes-decoded-percent', 'Percent escapes come back decoded.', echo('.*'), changed(unescapePercent), {
    ...should,
  }),
  row(
    'echoes-doubled-backslashes',
    'Backslashes come back doubled.',
    echo('.*'),
    changed(text => text.replaceAll('\\', '\\\\')),
    should,
  ),
  row(
    'echoes-doubled-quotes',
    'Quotes come back with a backslash in front.',
    echo('.*'),
    changed(text => text.replace(/['"]/g, '\\$&')),
    should,
  ),
  row(
    'echoes-no-tag',
    'The tag is lost.',
    echo('tag'),
    plant(({ name }) => ({ name })),
    should,
  ),
  row(
    'echoes-no-empty-tag',
    'An empty tag is lost.',
    echo('tag'),
    plant(({ name, tag }) => ({ name, tag: tag || undefined })),
    should,
  ),
  row(
    'echoes-empty-tag',
    'A tag that was not sent comes back empty.',
    echo('tag'),
    plant(({ name, tag }) => ({ name, tag: tag ?? '' })),
    should,
  ),
  row(
    'echoes-default-tag',
    'A tag that was not sent comes back with a default.',
    echo('tag'),
    plant(({ name, tag }) => ({ name, tag: tag ?? 'none' })),
    should,
  ),
  row(
    'echoes-name-as-tag',
    'The name comes back as the tag.',
    echo('tag'),
    plant(({ name, tag }) => ({ name, tag: tag && name })),
    should,
  ),
  row(
    'echoes-swapped',
    'Name and tag come back swapped.',
    echo('.*'),
    plant(({ name, tag }) => ({ name: tag ?? name, tag: tag && name })),
    should,
  ),
  row(
    'echoes-constant',
    'Every Plant is the same.',
    echo('.*'),
    plant(() => ({ name: 'string', tag: 'string' })),
    should,
  ),
  row(
    'echoes-constant-name',
    'Every Plant has the same name.',
    echo('name'),
    plant(({ tag }) => ({ name: 'Plant', tag })),
    should,
  ),
  row(
    'echoes-id-as-name',
    'The id comes back as the name.',
    echo('name'),
    plant(({ id, tag }) => ({ name: String(id), tag })),
    should,
  ),
  row(
    'echoes-name-in-quotes',
    'The name comes back in quotes.',
    echo('name'),
    plant(({ name, tag }) => ({ name: `"${name}"`, tag })),
    should,
  ),
  row(
    'echoes-reversed',
    'The name comes back reversed.',
    echo('name'),
    plant(({ name, tag }) => ({ name: [...name].reverse().join(''), tag })),
    should,
  ),
]
