import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { dataHome } from './home.ts'

test('LONGTAKE_HOME decides, also when it is relative', () => {
  expect(dataHome({ LONGTAKE_HOME: '/data/films', HOME: '/home/ada' })).toBe('/data/films')
  expect(dataHome({ LONGTAKE_HOME: 'films', HOME: '/home/ada' })).toBe(resolve('films'))
})

test('each platform has its own data folder', () => {
  expect(dataHome({ HOME: '/home/ada' }, 'linux')).toBe('/home/ada/.local/share/longtake')
  expect(dataHome({ HOME: '/home/ada', XDG_DATA_HOME: '/big' }, 'linux')).toBe('/big/longtake')
  expect(dataHome({ HOME: '/Users/ada' }, 'darwin')).toBe('/Users/ada/Library/Application Support/longtake')
  expect(dataHome({ LOCALAPPDATA: '/c/local' }, 'win32')).toBe('/c/local/longtake')
})

test('a relative XDG_DATA_HOME and an empty LONGTAKE_HOME count as not set', () => {
  expect(dataHome({ HOME: '/home/ada', XDG_DATA_HOME: 'data', LONGTAKE_HOME: '' }, 'linux')).toBe(
    '/home/ada/.local/share/longtake',
  )
})
