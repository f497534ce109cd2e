import { expect, test } from 'vitest'
import { pageAddress, pageAt } from './pages.ts'

test.each([
  ['/', 'library', {}],
  ['/v/v2216', 'video', { video: 'v2216' }],
  ['/r/20261122-0101%20a', 'run', { run: '20261122-0101 a' }],
  ['/reports', 'reports', {}],
])('%s is the view %s', (path, page, params) => {
  expect(pageAt(path)).toEqual({ page, params })
})

test.each(['', '/v/', '/v', '/v/a/b', '/nothing', '/v/%E0%A4%A', '//', '/api/videos'])('%j is no view', path => {
  expect(pageAt(path)).toBeUndefined()
})

test('an address is read as it was written, whatever its parameters hold', () => {
  const address = pageAddress('run', { run: 'a/b ?#%' }, { step: 4, with: undefined, q: 'ä & b' })
  const { pathname, searchParams } = new URL(address, 'http://here')
  expect(pageAt(pathname)).toEqual({ page: 'run', params: { run: 'a/b ?#%' } })
  expect([...searchParams]).toEqual([
    ['step', '4'],
    ['q', 'ä & b'],
  ])
})
