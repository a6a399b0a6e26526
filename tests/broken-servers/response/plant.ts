import { on } from '../store/faults.ts'
import type { BrokenServer, NewPlant, Parts } from '../store/model.ts'
import { rowsOf } from '../store/row.ts'

const row = rowsOf('response')

const plants = /^createPlant\/response\/(200|declared)/

const plant = (of: (plant: NewPlant) => unknown): Partial<Parts> => ({ plant: of })

/** Plants of a wrong shape. */
export const plantServers: readonly BrokenServer[] = [
  row(
    'plant-without-name',
    'The Plant has no name.',
    plants,
    plant(({ tag }) => ({ tag })),
  ),
  row(
    'plant-without-name-or-tag',
    'The Plant is an empty object.',
    plants,
    plant(() => ({})),
  ),
  row(
    'plant-with-null-name',
    'The name of the Plant is null.',
    plants,
    plant(({ tag }) => ({ name: null, tag })),
  ),
  row(
    'plant-with-number-name',
    'The name of the Plant is a number.',
    plants,
    plant(({ name, tag }) => ({ name: name.length, tag })),
  ),
  row(
    'plant-with-array-name',
    'The name of the Plant is an array.',
    plants,
    plant(({ name, tag }) => ({ name: [name], tag })),
  ),
  row(
    'plant-with-numeric-names-as-numbers',
    'A name of digits comes back as a number.',
    plants,
    plant(({ name, tag }) => ({ name: /^\d{1,15}$/.test(name) ? Number(name) : name, tag })),
  ),
  row(
    'plant-with-empty-name-as-null',
    'An empty name comes back as null.',
    plants,
    plant(({ name, tag }) => ({ name: name || null, tag })),
  ),
  row(
    'plant-with-null-tag',
    'The tag of the Plant is null if none was sent.',
    plants,
    plant(({ name, tag }) => ({ name, tag: tag ?? null })),
  ),
  row(
    'plant-with-null-tag-always',
    'The tag of the Plant is always null.',
    plants,
    plant(({ name }) => ({ name, tag: null })),
  ),
  row(
    'plant-with-false-tag',
    'The tag of the Plant is false if none was sent.',
    plants,
    plant(({ name, tag }) => ({ name, tag: tag ?? false })),
  ),
  row(
    'plant-with-number-tag',
    'The tag of the Plant is a number.',
    plants,
    plant(({ name, tag }) => ({ name, tag: tag?.length })),
  ),
  row(
    'plant-with-tags-in-array',
    'The tag of the Plant is an array.',
    plants,
    plant(({ name, tag }) => ({ name, tag: tag === undefined ? [] : [tag] })),
  ),
  row(
    'plant-with-empty-tag-as-null',
    'An empty tag comes back as null.',
    plants,
    plant(({ name, tag }) => ({ name, tag: tag === '' ? null : tag })),
  ),
  row(
    'plant-in-capital-names',
    'The properties of the Plant are called Name and Tag.',
    plants,
    plant(({ name, tag }) => ({ Name: name, Tag: tag })),
  ),
  row(
    'plant-in-an-envelope',
    'The Plant is inside a property data.',
    plants,
    plant(({ name, tag }) => ({ data: { name, tag } })),
  ),
  row(
    'plant-in-an-array',
    'The Plant is inside an array.',
    plants,
    plant(({ name, tag }) => [{ name, tag }]),
  ),
  row(
    'plant-in-a-string',
    'The Plant is JSON inside a JSON string.',
    plants,
    plant(({ name, tag }) => JSON.stringify({ name, tag })),
  ),
  row(
    'plant-is-a-string',
    'The Plant is a string.',
    plants,
    plant(() => 'created'),
  ),
  row(
    'plant-is-true',
    'The Plant is true.',
    plants,
    plant(() => true),
  ),
  row(
    'plant-is-null',
    'The Plant is null.',
    plants,
    plant(() => null),
  ),
  row(
    'plant-is-an-id',
    'The Plant is a number.',
    plants,
    plant(() => 17),
  ),
  row(
    'plant-is-an-error',
    'The Plant is an Error.',
    plants,
    plant(() => ({ error: 0, message: 'created' })),
  ),
  row(
    'plant-is-nothing',
    'The response to a valid plant has no body.',
    plants,
    on('none', response => ({ ...response, body: '' })),
  ),
]
