import schema from './report.schema.json' with { type: 'json' }

/** The JSON Schema (2020-12) of `report.json`. */
export const reportSchema: object = schema
