import { on } from '../store/faults.ts'
import type { BrokenServer, Cause, Parts } from '../store/model.ts'
import { rowsOf } from '../store/row.ts'

const row = rowsOf('response')

const type = /^createPlant\/response\/.*(content-type|media|declared)/

export const typed = (value: string | undefined): Partial<Parts> => ({ type: () => value })
const plantTyped = (value: string | undefined): Partial<Parts> => ({
  type: ({ cause }) => (cause === 'none' ? value : 'application/json'),
})

const rejections: readonly Cause[] = ['credentials', 'media', 'json', 'body', 'id', 'name', 'tag']

/** Responses with a wrong content type. */
export const contentTypeServers: readonly BrokenServer[] = [
  row('announces-html', 'The content type of responses is text/html.', type, typed('text/html')),
  row(
    'announces-text',
    'The content type of responses is text/plain.',
    type,
    typed('text/plain; charset=utf-8'),
  ),
  row('announces-nothing', 'Responses have no content type.', type, typed(undefined)),
  row('announces-empty-type', 'The content type of responses is empty.', type, typed('')),
  row(
    'announces-bytes',
    'The content type of responses is application/octet-stream.',
    type,
    typed('application/octet-stream'),
  ),
  row(
    'announces-javascript',
    'The content type of responses is application/javascript.',
    type,
    typed('application/javascript'),
  ),
  row('announces-text-json', 'The content type of responses is text/json.', type, typed('text/json')),
  row(
    'announces-json-suffix',
    'The content type of responses is a vendor type with the suffix +json.',
    type,
    typed('application/vnd.plant+json'),
  ),
  row(
    'announces-jsonl',
    'The content type of responses is application/jsonl.',
    type,
    typed('application/jsonl'),
  ),
  row('announces-json-without-application', 'The content type of responses is json.', type, typed('json')),
  row('announces-plants-as-html', 'The content type of Plants is text/html.', type, plantTyped('text/html')),
  row('announces-no-type-for-plants', 'Plants have no content type.', type, plantTyped(undefined)),
  row(
    'announces-errors-as-text',
    'The content type of Errors is text/plain.',
    type,
    on(rejections, response => ({ ...response, headers: { 'content-type': 'text/plain' } })),
  ),
  row(
    'announces-no-type-for-errors',
    'Errors have no content type.',
    type,
    on(rejections, response => ({ ...response, headers: {} })),
  ),
]
