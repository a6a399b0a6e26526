import { expect, test } from 'vitest'
import { createProgress } from '../../../reports/index.ts'
import type { RunEvent } from '../../../spec/index.ts'
import { end, exchange, finding, note, start } from '../fixture.ts'
import { poison } from '../runs.ts'

const run: readonly RunEvent[] = [
  start({ planned: 200 }),
  ...Array.from({ length: 120 }, (_, index) => exchange(index.toString(16), 'request/body/valid')),
  finding('request/body/id/type'),
  note('quiet'),
  note('2 requests waited for Retry-After', 'warning'),
  ...Array.from({ length: 80 }, (_, index) => exchange((120 + index).toString(16), 'auth/none')),
  end(),
]

// Each event advances the clock by 10 ms.
const progressOf = (events: readonly RunEvent[], isTty: boolean, columns = 100): readonly string[] => {
  const written: string[] = []
  let clock = 0
  const progress = createProgress({
    write: text => written.push(text),
    isTty,
    colour: false,
    columns,
    now: () => clock,
  })
  for (const event of events) {
    clock += 10
    progress.event(event)
  }
  progress.stop()
  progress.stop()
  return written
}

test('without a terminal it prints the start, each quarter, and findings as they come', () => {
  expect(progressOf(run, false).join('')).toMatchInlineSnapshot(`
    "verifying https://staging.example.test: 21 requirements, 200 cases, seed 4242
     25 %  50 of 200 cases in 0.5 s
     50 %  100 of 200 cases in 1.0 s
    failed   accepted \`id\` as a string of digits ("0") (createPlant/request/body/id/type)
    note     2 requests waited for Retry-After
     75 %  150 of 200 cases in 1.5 s
    100 %  200 of 200 cases in 2.0 s
    "
  `)
})

test('on a terminal, one line is rewritten at most ten times a second', () => {
  const written = progressOf(run, true)
  const status = written.filter(text => text.includes(' of 200 cases'))
  expect(status.length).toBeGreaterThan(15)
  expect(status.length).toBeLessThan(30)
  expect(status.every(text => text.startsWith('\r\u001b[2K') && !text.includes('\n'))).toBe(true)
  expect(status.at(12)).toMatchInlineSnapshot(`
    "
    [2KcreatePlant/auth · 121 of 200 cases · 98/s · 0.8 s left"
  `)
})

test('a run without a number of cases shows its time instead', () => {
  const budget = { cases: null, needed: 1000, seconds: 2, concurrency: 16 }
  const timed = [start({ planned: null, budget }), ...run.slice(1)]
  expect(progressOf(timed, false).join('')).toContain('requirements, 2.0 s, seed')
  expect(progressOf(timed, false).join('')).toContain(' 50 %  100 cases in 1.0 s')
  expect(progressOf(timed, true).join('')).toMatch(/ · 121 cases · 98\/s · 0\.8 s left/)
})

test('each finding has its own line, and the status line is gone at the end', () => {
  const written = progressOf(run, true)
  const at = written.findIndex(text => text.startsWith('failed   accepted `id`'))
  expect(written[at - 1]).toBe('\r\u001b[2K')
  expect(written.at(-1)).toBe('\r\u001b[2K')
})

test('the status line is never wider than the terminal', () => {
  for (const text of progressOf(run, true, 30))
    expect(text.replace('\r\u001b[2K', '').split('\n')[0]?.length).toBeLessThanOrEqual(
      text.endsWith('\n') ? 200 : 29,
    )
})

test('no text from a server can control the terminal', () => {
  const text = progressOf(
    [
      start({ target: poison, planned: 4 }),
      exchange('0', poison),
      finding(poison, { title: poison, actual: poison }),
      note(poison, 'warning'),
      end(),
    ],
    false,
  ).join('')
  expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
})

test('a run that planned no cases has progress as well', () => {
  expect(() => progressOf([start({ planned: 0 }), exchange('0', 'auth/none'), end()], false)).not.toThrow()
  expect(() => progressOf([start({ planned: 0 }), exchange('0', 'auth/none'), end()], true)).not.toThrow()
})

test('what takes the time is said every five seconds, also before the first case', () => {
  const written: string[] = []
  let clock = 0
  const progress = createProgress({
    write: text => written.push(text),
    isTty: false,
    colour: false,
    columns: 100,
    now: () => clock,
  })
  const passes = (seconds: number): void => {
    for (let second = 0; second < seconds; second++) {
      clock += 1000
      progress.tick()
    }
  }
  progress.watch.phase('trial')
  progress.watch.sending({ method: 'GET', target: '/plants?limit=1' })()
  const done = progress.watch.sending({ method: 'POST', target: '/kernels?token=x' })
  passes(11)
  done()
  progress.event(start({ planned: 200 }))
  progress.watch.phase('cases')
  passes(4)
  progress.event(exchange('31', 'request/body/valid'))
  passes(5)
  progress.watch.phase('repetition')
  passes(5)
  expect(written.join('')).toMatchInlineSnapshot(`
    "         trying a valid request of each operation: 2 requests · waiting 5.0 s for POST /kernels
             trying a valid request of each operation: 2 requests · waiting 10.0 s for POST /kernels
    verifying https://staging.example.test: 21 requirements, 200 cases, seed 4242
     25 %  50 of 200 cases in 4.0 s
             sending the cases: 2 requests · 27.0 s left
             sending again what failed: 2 requests
    "
  `)
})

test('what a response shows is told when it is first seen: a server error once for each operation, others for each requirement', () => {
  const crash = {
    ...exchange('1', 'request/body/valid'),
    failed: ['createPlant/request/body/valid'],
  } as const
  const body = { encoding: 'utf8', data: '', bytes: 0 } as const
  const outcome = { kind: 'response', status: 500, headers: [], body, ms: 1 } as const
  const text = progressOf(
    [
      start({ planned: 200 }),
      { ...crash, outcome },
      { ...crash, id: '2', outcome },
      { ...crash, id: '3', outcome: { ...outcome, status: 503 } },
      ...['4', '5'].map(id => ({
        ...crash,
        id,
        outcome: { ...outcome, status: 200 },
        failed: ['createPlant/response/200/body', 'createPlant/response/200/echo/name'],
      })),
      // Whether it had to be accepted shows only when it is sent again.
      { ...crash, id: '6', outcome: { ...outcome, status: 400 } },
    ],
    false,
  ).join('')
  expect(text).toMatchInlineSnapshot(`
    "verifying https://staging.example.test: 21 requirements, 200 cases, seed 4242
    seen     500 to POST /plants (createPlant)
    seen     200 to POST /plants (createPlant); required: every 200 carries a Plant
    "
  `)
})

test('what has one cause in many operations is told once, and so is what they all lack', () => {
  const body = { encoding: 'utf8', data: '', bytes: 0 } as const
  const outcome = { kind: 'response', status: 401, headers: [], body, ms: 1 } as const
  const { obligations } = start()
  const lacking = obligations.filter(({ family, level }) => family === 'response' && level === 'MUST')
  const text = progressOf(
    [
      start({ obligations: lacking.map(each => ({ ...each, requirement: 'a 401 has a challenge' })) }),
      ...lacking.map(({ id }, index) => ({ ...exchange(`${index}`, 'auth/none'), outcome, failed: [id] })),
      ...Array.from({ length: 22 }, (_, index) => [
        finding(`request/body/id/${index}`, { cause: { key: `${index}`, title: 'x', place: '' } }),
        finding(`request/body/name/${index}`, { cause: { key: `${index}`, title: 'x', place: '' } }),
      ]).flat(),
    ],
    false,
  ).join('')
  expect(lacking.length).toBeGreaterThan(1)
  expect(text.match(/^seen .*/gm)).toEqual([
    'seen     401 to POST /plants (createPlant); required: a 401 has a challenge',
  ])
  expect(text.match(/^failed .*/gm)).toHaveLength(20)
  expect(text).not.toContain('/name/')
  expect(text.match(/more findings follow/g)).toHaveLength(1)
})
