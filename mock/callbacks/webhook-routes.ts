import { isObject, readJson, webhooksOf } from '../../spec/index.ts'
import { type AdminRoutes, jsonResponse } from '../admin/routes.ts'
import type { ServedDocument } from '../engine/context.ts'
import { OptionError } from '../errors.ts'
import type { Outcome } from './send-operation.ts'
import type { WebhookOptions } from './webhooks.ts'

/** `GET /__plantstore/webhooks` lists the webhooks, `POST /__plantstore/webhooks/NAME` sends one. */
export const webhookRoutes = (
  documents: () => readonly ServedDocument[],
  webhook: (name: string, options: WebhookOptions) => Promise<Outcome>,
): AdminRoutes => ({
  'GET /webhooks': () =>
    jsonResponse(
      documents().flatMap(({ contract }) =>
        webhooksOf(contract).map(({ id, method, summary }) => ({ id, method, summary })),
      ),
    ),
  'POST /webhooks': async ({ body }, rest) => {
    const reading = readJson(body ?? new Uint8Array())
    if (!reading.ok || !isObject(reading.value))
      return jsonResponse(
        { message: 'the body must name the URL to send it to: {"url":"http://127.0.0.1:3000/hook"}' },
        400,
      )
    try {
      const { status, reason, violations } = await webhook(rest.join('/'), reading.value as WebhookOptions)
      return jsonResponse({
        status,
        reason,
        violations: violations.map(({ id, message }) => ({ id, message })),
      })
    } catch (error) {
      if (!(error instanceof OptionError)) throw error
      return jsonResponse({ message: error.message }, 400)
    }
  },
})
