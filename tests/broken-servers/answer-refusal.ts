import { type Failing, on, withJson, withText } from './faults.ts'
import type { Broken, Cause } from './model.ts'
import { rowsOf } from './row.ts'

const row = rowsOf('answer')

const errors = /^createPlant\/response\/(400|declared|4)/

const refusals: readonly Cause[] = ['credentials', 'media', 'json', 'body', 'id', 'name', 'tag']
const refused = (failing: Failing) => on(refusals, failing)

/** Refusals that are no Errors, and Errors that are wrong for one cause. */
export const refusalAnswerServers: readonly Broken[] = [
  row(
    'errors-are-nothing',
    'Refusals have no body.',
    errors,
    refused(answer => ({ ...answer, headers: {}, body: '' })),
  ),
  row(
    'errors-are-empty-json',
    'Refusals announce JSON and have no body.',
    errors,
    refused(answer => ({ ...answer, body: '' })),
  ),
  row(
    'errors-are-problems',
    'Refusals are problem documents.',
    errors,
    refused(answer =>
      withText(
        answer,
        400,
        '{"type":"about:blank","title":"Bad Request","status":400}',
        'application/problem+json',
      ),
    ),
  ),
  row(
    'errors-announced-as-problems',
    'Errors are announced as problem documents.',
    errors,
    refused(answer => ({ ...answer, headers: { 'content-type': 'application/problem+json' } })),
  ),
  row(
    'errors-are-text',
    'Refusals are plain text.',
    errors,
    refused(answer => withText(answer, 400, 'Bad Request')),
  ),
  row(
    'errors-are-pages',
    'Refusals are pages.',
    errors,
    refused(answer => withText(answer, 400, '<h1>Bad Request</h1>', 'text/html')),
  ),
  row(
    'errors-with-422',
    'Every refusal has an undeclared 422.',
    errors,
    refused(answer => ({ ...answer, status: 422 })),
  ),
  row(
    'errors-with-401',
    'Every refusal has an undeclared 401.',
    errors,
    refused(answer => ({ ...answer, status: 401 })),
  ),
  row(
    'errors-with-500',
    'Every refusal is a 500.',
    /^createPlant\/(response|request|auth)\//,
    refused(answer => ({ ...answer, status: 500 })),
  ),
  row(
    'errors-with-404',
    'Every refusal has an undeclared 404.',
    errors,
    refused(answer => ({ ...answer, status: 404 })),
  ),
  row(
    'message-is-missing-for-ids',
    'Refused ids have no message.',
    /^createPlant\/(response\/400|request\/body\/id\/)/,
    on('id', answer => withJson(answer, 400, { error: 1 })),
  ),
  row(
    'error-is-text-for-names',
    'Refused names have a text as their error.',
    /^createPlant\/(response\/400|request\/body\/name\/)/,
    on('name', answer => withJson(answer, 400, { error: 'name', message: 'invalid' })),
  ),
  row(
    'error-is-large-for-tags',
    'Refused tags have an error beyond int32.',
    /^createPlant\/(response\/400|request\/body\/tag\/)/,
    on('tag', answer => withJson(answer, 400, { error: 9_000_000_000, message: 'invalid' })),
  ),
  row(
    'errors-are-pages-for-bodies',
    'What is not an object is refused with a page.',
    /^createPlant\/(response\/400|request\/body\/type\/)/,
    on('body', answer => withText(answer, 400, '<h1>Bad Request</h1>', 'text/html')),
  ),
]
