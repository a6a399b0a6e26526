import { expect, test } from 'vitest'
import { readScenarioText } from '../../../mock/index.ts'

test.each<[string, string, object]>([
  [
    'createPlant:status=400,code=7,delay=100..300,every=3',
    'createPlant',
    { status: 400, code: 7, delay: [100, 300], every: 3 },
  ],
  ['*:limit=10/60', '*', { limit: { requests: 10, seconds: 60 } }],
  ['*:limit=10/0.5s, undeclared=true', '*', { limit: { requests: 10, seconds: 0.5 }, undeclared: true }],
  ['pay:message="no: more, please", code=-1', 'pay', { message: 'no: more, please', code: -1 }],
  ['pay:message=no: more,delay=5', 'pay', { message: 'no: more', delay: 5 }],
  ['pay:message="say \\"no\\" \\\\"', 'pay', { message: 'say "no" \\' }],
  ['POST /orders/{id}:cancel:fault=reset', 'POST /orders/{id}:cancel', { fault: 'reset' }],
  ['pay:message=a=b', 'pay', { message: 'a=b' }],
  ['pay:unauthenticated=401', 'pay', { unauthenticated: '401' }],
  ['pay:status=4OO,delay=1..x,limit=9', 'pay', { status: '4OO', delay: '1..x', limit: '9' }],
])('%s is read', (text, operation, scenario) => {
  expect(readScenarioText(text)).toEqual({ operation, scenario })
})

test.each(['', 'createPlant', 'createPlant:', 'createPlant:status', 'pay:message="open'])(
  '%s cannot be read, and the message shows how to write it',
  text => {
    expect(() => readScenarioText(text)).toThrow(
      `the scenario ${JSON.stringify(text)} cannot be read: write it as OPERATION:key=value,key=value, such as *:status=400,delay=200`,
    )
  },
)

test('a repeated key is reported', () => {
  expect(() => readScenarioText('pay:delay=1,delay=2')).toThrow('has delay twice')
})
