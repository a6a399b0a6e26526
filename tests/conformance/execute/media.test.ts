import { expect, onTestFinished, test } from 'vitest'
import { createPlanCache, type PlanCache, verify } from '../../../conformance/index.ts'
import { type Ledger, loadContract } from '../../../spec/index.ts'
import { conclusionSoFar } from '../../conclusion-so-far.ts'
import { mediaDocument } from './media-document.ts'
import { type Habits, startMedia } from './media-server.ts'

const contract = await loadContract({ from: mediaDocument() })
/** Runs of the same operations share a plan. */
const planCaches = new Map<string, PlanCache>()

/** Verifies a server with these habits: all of it, or the operations that are named. */
const runOn = async (habits: Habits = {}, ...only: readonly string[]): Promise<Ledger> => {
  const server = await startMedia(habits)
  onTestFinished(server.close)
  const planCache = planCaches.get(only.join()) ?? createPlanCache()
  planCaches.set(only.join(), planCache)
  return verify({
    ...{ contract, planCache, only, include: ['*'], target: server.url, seed: 3 },
    ...{ cases: only.length === 0 ? 1200 : 500, sustained: 0, strict: true },
  })
}

test('a conforming server passes everything, strictly', async () => {
  const ledger = await runOn()
  expect(ledger.findings.map(({ obligation, title }) => `${obligation}: ${title}`)).toEqual([])
  expect(conclusionSoFar(ledger)).toBe('conformant')
  const untested = ledger.entries.filter(({ verdict }) => verdict.kind === 'untested')
  expect(untested.map(entry => `${entry.obligation.id}: ${JSON.stringify(entry.verdict)}`)).toEqual([])
})

test.each<[string, Habits, string]>([
  ['needs no file', { needsNoFile: true }, 'putImage/request/body/file/required'],
  ['takes a file of any type', { takesAnyFile: true }, 'putImage/request/body/file/content-type'],
  ['needs no header of a part', { needsNoChecksum: true }, 'putImage/request/body/file/headers/x-checksum'],
  ['takes any text for a number', { convertsLoosely: true }, 'putImage/request/body/width/type/string'],
  ['takes any JSON in a part', { takesAnyMeta: true }, 'putImage/request/body/meta/by/required'],
  ['keeps one part of a list', { keepsOneTag: true }, 'putImage/response/200/echo/tags'],
  ['takes any media type', { takesAnyMedia: true }, 'addPet/request/content-type/text'],
  ['takes XML that is not well-formed', { takesAnyXml: true }, 'addPet/request/body/xml/entity'],
  ['takes any root element', { takesAnyRoot: true }, 'addPet/request/body/xml/root'],
  ['needs no attribute', { needsNoChip: true }, 'addPet/request/body/chip/required'],
  ['answers XML that is not well-formed', { answersBadXml: true }, 'addPet/response/201/xml'],
  ['answers without an element', { answersWithoutPhotos: true }, 'addPet/response/201/body/photos/required'],
  [
    'does not look into objects of a form',
    { losesTowns: true },
    'order/request/body/customer/address/town/required',
  ],
  ['does not look into lists of a form', { takesAnyCount: true }, 'order/request/body/lines/*/count/minimum'],
  ['takes a text of any length', { takesLongNotes: true }, 'note/request/body/maxLength'],
  ['answers a text that is too long', { answersLongNotes: true }, 'note/response/200/body/maxLength'],
])('a server that %s is found', async (_what, habits, expected) => {
  const [operation = ''] = expected.split('/')
  const { findings } = await runOn(habits, operation)
  expect(findings.flatMap(({ obligation, also }) => [obligation, ...also])).toContain(expected)
})
