/** `verify --examples`: the values of recorded requests are sent as the examples of the document are. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { libraryDocument } from '../../documents/index.ts'
import { during, emptyFolder, plantstore } from '../command.ts'
import { harOf } from '../proxy/har.ts'
import { recordingStore } from '../servers.ts'

const folderWith = (har: string): string => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'traffic.har'), har)
  return cwd
}

test('bodies of valid requests that were accepted', () =>
  during(recordingStore(), async ({ url, token, bodies }) => {
    const answer = '{"name":"a"}'
    const cwd = folderWith(
      harOf([
        { body: '{"id":1,"name":"seen in the record"}', answer },
        { body: '{"id":2,"name":"with a password","password":"of-a-user"}', answer },
        { body: '{"id":3,"name":"rejected there"}', status: 400, answer: '{"error":1,"message":"no"}' },
        { body: '{"id":4,"name":7}', answer },
      ]),
    )
    const args = ['verify', url, '--token', token, '--seed', '1', '--examples', 'traffic.har']
    const { code, stderr } = await plantstore(args, { cwd })
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('traffic.har: 2 valid requests of 4 are examples, for 1 operation\n')
    const sent = bodies.join('\n')
    expect(sent).toContain('seen in the record')
    expect(sent).toContain('with a password')
    expect(sent).not.toMatch(/of-a-user|rejected there/)
  }))

test('parameters, without those that are credentials', async () => {
  const mock = await createMock({ contract: libraryDocument })
  const targets: string[] = []
  const fields: string[] = []
  mock.journal.listen(({ target, headers }) => {
    targets.push(target)
    fields.push(...headers.map(([, value]) => value))
  })
  const seen = {
    method: 'GET',
    url: `${mock.url}/books/4711`,
    headers: { 'X-Trace': 'c0ffee', 'X-Library-Key': 'key-of-the-record' },
    status: 200,
    answer: '{}',
  }
  const cwd = folderWith(harOf([seen]))
  const args = [
    '--spec',
    libraryDocument,
    '--token',
    'any',
    '--seed',
    '1',
    '--only',
    'getBook',
    '--stateless',
  ]
  const { stderr } = await plantstore(['verify', mock.url, ...args, '--examples', 'traffic.har'], { cwd })
  await mock.close()
  expect(stderr).toContain('traffic.har: 1 valid request of 1 is an example, for 1 operation\n')
  expect(targets).toContain('/books/4711')
  expect(fields).toContain('c0ffee')
  expect(fields).not.toContain('key-of-the-record')
})
