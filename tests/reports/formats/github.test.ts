import * as core from '@actions/core'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { reports } from '../../../reports/index.ts'
import { foldLedger, type RunEvent } from '../../../spec/index.ts'
import { finding } from '../fixture.ts'
import { anyLedger, anyText } from '../ledgers.ts'
import { runs } from '../runs.ts'

type Command = { name: string; properties: Record<string, string>; message: string }

const unescaped = (text: string): string =>
  text
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%25', '%')

/** Reads workflow commands as the runner does: `::name key=value,key=value::message`, one a line. */
const read = (text: string): readonly Command[] => {
  const lines = text.split(/\r?\n/)
  expect(lines.pop()).toBe('')
  return lines.map(line => {
    const [, name = '', given = '', message = ''] = /^::(\w+)(?: (.*?))?::(.*)$/.exec(line) ?? []
    const properties = given === '' ? [] : given.split(',').map(each => each.split('='))
    return {
      name,
      properties: Object.fromEntries(properties.map(([key, ...value]) => [key, unescaped(value.join('='))])),
      message: unescaped(message),
    }
  })
}

/** What GitHub's toolkit writes for the same annotation. */
const written = (issue: () => void): string => {
  let text = ''
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation(part => {
    text += String(part)
    return true
  })
  try {
    issue()
  } finally {
    stdout.mockRestore()
  }
  return text
}

const byToolkit = ({ name, properties, message }: Command): string => {
  const { title, file, line } = properties
  const place = {
    ...(title === undefined ? {} : { title }),
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { startLine: Number(line) }),
  }
  const issue = { error: core.error, warning: core.warning, notice: core.notice }[name]
  return written(() => issue?.(message, place))
}

const commandsOf = (events: readonly RunEvent[]) => read(reports.github.write(foldLedger(events)))
const ofLevel = (commands: readonly Command[], level: string) => commands.filter(({ name }) => name === level)

test('the verdict is a notice, a failure an error at its line, a failed SHOULD a warning', () => {
  const commands = commandsOf(runs.fiveFailures)
  expect(commands[0]).toMatchObject({
    name: 'notice',
    properties: { title: 'NOT CONFORMANT (11 of 16 MUST passed): Plant Store' },
    message: '13 passed, 5 failed, 0 inconclusive, 0 not tested',
  })
  expect(ofLevel(commands, 'error')[0]).toMatchObject({
    properties: {
      title: 'accepted `id` as a string of digits ("0")',
      file: 'plant-store.openapi.yaml',
      line: '49',
    },
  })
  expect(ofLevel(commands, 'error')).toHaveLength(4)
  expect(ofLevel(commands, 'warning').map(({ properties }) => properties.title)).toEqual([
    'returned `name` changed: "Fern" instead of "Fern  "',
  ])
})

test('an inconclusive run is an error: a step that fails needs one', () => {
  const [first, ...rest] = commandsOf(runs.inconclusive)
  expect(first).toMatchObject({
    name: 'error',
    properties: {
      title: expect.stringMatching(
        /^INCONCLUSIVE \(\d+ of 16 MUST passed, \d could not be tested\): Plant Store$/,
      ),
    },
  })
  expect(first?.message).toContain('the server answered 503 to 2 of 2 cases')
  expect(rest).toEqual([])
})

test('if there are more than GitHub shows, the tenth says how many', () => {
  const eleven = Array.from({ length: 11 }, (_, index) =>
    finding('request/body/id/type', { id: String(index), expected: String(index) }),
  )
  const errors = ofLevel(commandsOf([...runs.conformant, ...eleven]), 'error')
  expect(errors).toHaveLength(10)
  expect(errors[9]?.properties).toEqual({ title: '2 more' })
  expect(ofLevel(commandsOf([...runs.conformant, ...eleven.slice(0, 10)]), 'error')).toHaveLength(10)
})

test('with any text from a server each line is one command, with the bytes that GitHub’s toolkit writes', () => {
  fc.assert(
    fc.property(anyLedger, ledger => {
      const text = reports.github.write(ledger)
      const commands = read(text)
      for (const { name } of commands) expect(['error', 'warning', 'notice']).toContain(name)
      const sorted = (line: string): string =>
        line.replace(
          /^(::\w+ )(.*?)::/,
          (_all, start, given) => `${start}${given.split(',').sort().join()}::`,
        )
      expect(text.trimEnd().split('\n').map(sorted)).toEqual(
        commands.map(command => sorted(byToolkit(command).trimEnd())),
      )
    }),
  )
})

test('text cannot start a command', () => {
  const hostile = '\n::stop-commands::x\r\n::error::mine%0A::add-mask::a,line=1::b'
  fc.assert(
    fc.property(anyText, text => {
      const commands = commandsOf([
        ...runs.conformant,
        finding('request/body/id/type', { actual: text + hostile, expected: hostile + text }),
      ])
      expect(commands).toHaveLength(2)
      const [error] = ofLevel(commands, 'error')
      expect(error?.properties.line).toBe('49')
      expect(error?.message).toContain('::error::mine%0A::add-mask::a,line=1::b')
    }),
  )
})
