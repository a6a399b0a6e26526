import type { SchemaPlace } from './locations.ts'

/** Whether an object may have declared properties only. */
export const isClosed = ({ keywords }: SchemaPlace): boolean =>
  keywords.some(
    ({ keyword, value }) =>
      (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') && value === false,
  )
