import { configurable, type Setting, sectionOf, settingsOf, sharedSettings } from '../cli/config/setting.ts'
import { createProgram } from '../cli/program.ts'

/** The JSON Schema of `plantstore.config.yaml` and `.json`, made from the options of the commands. */
export const configSchema = (): object => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:plantstore:config:1',
  title: 'Configuration of plantstore',
  type: 'object',
  properties: {
    $schema: { type: 'string' },
    version: { const: 1 },
    ...propertiesOf(sharedSettings()),
    ...Object.fromEntries(
      configurable(createProgram().commands).map(command => [
        sectionOf(command),
        {
          description: `Settings of \`plantstore ${command.name()}\`: they override those for all commands.`,
          type: 'object',
          properties: propertiesOf(settingsOf(command)),
          additionalProperties: false,
        },
      ]),
    ),
  },
  additionalProperties: false,
})

export const configSchemaText = (): string => `${JSON.stringify(configSchema(), null, 2)}\n`

const propertiesOf = (settings: readonly Setting[]): object =>
  Object.fromEntries(
    settings.map(setting => [setting.name, { description: setting.description, ...schemaOf(setting) }]),
  )

const schemaOf = ({ isSwitch, choices, parse }: Setting): object => {
  if (isSwitch) return { type: 'boolean' }
  // In YAML, 401 is a number.
  if (choices !== null)
    return { enum: choices.flatMap(choice => (/^\d+$/.test(choice) ? [choice, Number(choice)] : [choice])) }
  return withoutNames(parse?.schema ?? { type: 'string', minLength: 1 })
}

/** A schema inside another one must not name itself. */
const withoutNames = (schema: object): object => {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === '$id' || key === '$schema' ? undefined : value,
  )
  return JSON.parse(text) as object
}
