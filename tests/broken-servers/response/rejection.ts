import { type Fault, on, withJson, withText } from '../store/faults.ts'
import type { BrokenServer, Cause } from '../store/model.ts'
import { rowsOf } from '../store/row.ts'

const row = rowsOf('response')

const errors = /^createPlant\/response\/(400|declared|4)/

const rejections: readonly Cause[] = ['credentials', 'media', 'json', 'body', 'id', 'name', 'tag']
const rejecting = (fault: Fault) => on(rejections, fault)

/** Rejections that are not Errors, and Errors that are wrong for one cause. */
export const rejectionResponseServers: readonly BrokenServer[] = [
  row(
    'errors-are-nothing',
    'Rejections have no body.',
    errors,
    rejecting(response => ({ ...response, headers: {}, body: '' })),
  ),
  row(
    'errors-are-empty-json',
    'Rejections declare JSON and have no body.',
    errors,
    rejecting(response => ({ ...response, body: '' })),
  ),
  row(
    'errors-are-problems',
    'Rejections are problem documents.',
    errors,
    rejecting(response =>
      withText(
        response,
        400,
        '{"type":"about:blank","title":"Bad Request","status":400}',
        'application/problem+json',
      ),
    ),
  ),
  row(
    'errors-announced-as-problems',
    'The content type of Errors is application/problem+json.',
    errors,
    rejecting(response => ({ ...response, headers: { 'content-type': 'application/problem+json' } })),
  ),
  row(
    'errors-are-text',
    'Rejections are plain text.',
    errors,
    rejecting(response => withText(response, 400, 'Bad Request')),
  ),
  row(
    'errors-are-pages',
    'Rejections are HTML pages.',
    errors,
    rejecting(response => withText(response, 400, '<h1>Bad Request</h1>', 'text/html')),
  ),
  row(
    'errors-with-422',
    'Every rejection has an undeclared 422.',
    errors,
    rejecting(response => ({ ...response, status: 422 })),
  ),
  row(
    'errors-with-401',
    'Every rejection has an undeclared 401.',
    errors,
    rejecting(response => ({ ...response, status: 401 })),
  ),
  row(
    'errors-with-500',
    'Every rejection is a 500.',
    /^createPlant\/(response|request|auth)\//,
    rejecting(response => ({ ...response, status: 500 })),
  ),
  row(
    'errors-with-404',
    'Every rejection has an undeclared 404.',
    errors,
    rejecting(response => ({ ...response, status: 404 })),
  ),
  row(
    'message-is-missing-for-ids',
    'The rejection of an id has no message.',
    /^createPlant\/(response\/400|request\/body\/id\/)/,
    on('id', response => withJson(response, 400, { error: 1 })),
  ),
  row(
    'error-is-a-string-for-names',
    'The rejection of a name has a string as its error.',
    /^createPlant\/(response\/400|request\/body\/name\/)/,
    on('name', response => withJson(response, 400, { error: 'name', message: 'invalid' })),
  ),
  row(
    'error-is-large-for-tags',
    'The rejection of a tag has an error beyond int32.',
    /^createPlant\/(response\/400|request\/body\/tag\/)/,
    on('tag', response => withJson(response, 400, { error: 9_000_000_000, message: 'invalid' })),
  ),
  row(
    'errors-are-pages-for-bodies',
    'A body that is not an object is rejected with an HTML page.',
    /^createPlant\/(response\/400|request\/body\/type\/)/,
    on('body', response => withText(response, 400, '<h1>Bad Request</h1>', 'text/html')),
  ),
]
