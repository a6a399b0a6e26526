import { plant, plantWithId, raw } from '../store/sent.ts'
import { type Probe, probe } from './probe.ts'

const wrong: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {
  id: {
    null: [null],
    boolean: [true, false, 'true'],
    string: ['one', '', ' '],
    numeral: ['1', '1.0', '1e3', ' 1 ', '0x10'],
    array: [[], [1]],
    object: [{}, { id: 1 }],
    fraction: [1.5, 0.1, -0.5, 1e-7],
  },
  name: {
    null: [null],
    boolean: [true, false],
    number: [1, 0, -1, 1.5],
    array: [[], ['Monstera']],
    object: [{}, { name: 'Monstera' }],
  },
  tag: {
    null: [null],
    boolean: [true, false],
    number: [1, 0, -1, 1.5],
    array: [[], ['indoor']],
    object: [{}, { tag: 'indoor' }],
  },
}

const wrongTypes = Object.entries(wrong).flatMap(([place, types]) =>
  Object.entries(types).flatMap(([type, values]) =>
    values.map(value => probe('reject', `request/body/${place}/type/${type}`, plant({ [place]: value }))),
  ),
)

const outOfRange = {
  above: ['9223372036854775808', '9223372036854775809', '1e19', '18446744073709551616', '1e400'],
  below: ['-9223372036854775809', '-1e19', '-18446744073709551616'],
}

export const typeProbes: readonly Probe[] = [
  ...wrongTypes,
  probe('reject', 'request/body/id/type/fraction-large', plantWithId('9007199254740993.5')),
  probe('reject', 'request/body/id/type/fraction-small', plantWithId('1.0000000000000000001')),
  ...Object.entries(outOfRange).flatMap(([side, ids]) =>
    ids.map(id => probe('reject', `request/body/id/format/${side}`, plantWithId(id))),
  ),
  probe('reject', 'request/body/id/required', plant({ id: undefined })),
  probe('reject', 'request/body/id/required', plant({ id: undefined, tag: undefined })),
  probe('reject', 'request/body/name/required', plant({ name: undefined })),
  probe('reject', 'request/body/name/required', plant({ name: undefined, tag: undefined })),
  probe('reject', 'request/body/id/required', raw('{}')),
  ...Object.entries({
    array: ['[]', '[{"id":1,"name":"Monstera"}]', '[1,2]'],
    string: ['""', '"Monstera"', JSON.stringify('{"id":1,"name":"Monstera"}')],
    number: ['0', '1', '1.5'],
    boolean: ['true', 'false'],
    null: ['null'],
  }).flatMap(([type, bodies]) => bodies.map(body => probe('reject', `request/body/type/${type}`, raw(body)))),
]

const good = '{"id":901,"name":"Monstera","tag":"indoor"}'

const malformed: Readonly<Record<string, readonly (string | Buffer)[]>> = {
  truncated: [good.slice(0, -1), good.slice(0, -2), good.slice(0, 20), '{"id":901,', '{'],
  'trailing-comma': ['{"id":901,"name":"Monstera",}', '{"id":901,"name":"Monstera","tags":[1,]}'],
  'single-quotes': ["{'id':901,'name':'Monstera'}", `{"id":901,"name":'Monstera'}`],
  comment: [
    '{"id":901,/* so */"name":"Monstera"}',
    '{"id":901,"name":"Monstera"} // so',
    '# so\n{"id":901,"name":"a"}',
  ],
  nan: [
    '{"id":901,"name":"Monstera","size":NaN}',
    '{"id":901,"name":"Monstera","size":-Infinity}',
    '{"id":NaN,"name":"a"}',
  ],
  'leading-zero': ['{"id":0901,"name":"Monstera"}', '{"id":-0901,"name":"Monstera"}'],
  'plus-sign': ['{"id":+901,"name":"Monstera"}'],
  'bare-point': ['{"id":901,"name":"Monstera","size":.5}', '{"id":901.,"name":"Monstera"}'],
  hexadecimal: ['{"id":0x385,"name":"Monstera"}'],
  'control-character': [
    '{"id":901,"name":"Mon\nstera"}',
    '{"id":901,"name":"Mon\u0000stera"}',
    '{"id":901,"name":"Mon\tstera"}',
  ],
  'bad-escape': [
    '{"id":901,"name":"Mon\\xstera"}',
    '{"id":901,"name":"Mon\\u12stera"}',
    '{"id":901,"name":"it\\\'s"}',
  ],
  'unquoted-name': ['{id:901,name:"Monstera"}'],
  'missing-comma': ['{"id":901 "name":"Monstera"}'],
  'python-words': [
    '{"id":901,"name":"Monstera","native":True}',
    '{"id":901,"name":"Monstera","native":None}',
  ],
  'invalid-utf8': [
    Buffer.from('{"id":901,"name":"Mon\xffstera"}', 'latin1'),
    Buffer.from('{"id":901,"name":"Mon\xc3stera"}', 'latin1'),
    Buffer.from('{"id":901,"name":"Mon\xed\xa0\x80stera"}', 'latin1'),
    Buffer.from('{"id":901,"name":"Mon\xc0\xafstera"}', 'latin1'),
  ],
  utf16: [
    Buffer.from(good, 'utf16le'),
    Buffer.from(`\ufeff${good}`, 'utf16le'),
    Buffer.from(good, 'utf16le').swap16(),
  ],
  'deep-nesting': [
    '['.repeat(100_000),
    '{"a":'.repeat(20_000),
    `{"id":901,"name":"a","b":${'['.repeat(100_000)}`,
  ],
  'trailing-garbage': [`${good}x`, `${good}}`, `${good}{}`, `${good}\n${good}`, `${good}\u0000`],
  'not-json': ['id=901&name=Monstera', '<plant/>', 'Monstera', 'undefined'],
}

export const jsonProbes: readonly Probe[] = Object.entries(malformed).flatMap(([what, bodies]) =>
  bodies.map(body => probe('reject', `request/body/json/${what}`, raw(body))),
)
