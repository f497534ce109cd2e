import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fuzz } from './fuzz.ts'
import { openTarget, targetNames } from './targets.ts'

// A short walk with a fixed seed and a fixed number of inputs; tests/fuzz/run.ts walks for minutes, guided by coverage.
const executions: Record<string, number> = {
  mp4: 300,
  subtitles: 300,
  tar: 300,
  pack: 300,
  zip: 300,
  parquet: 300,
  benchmarks: 400,
  replies: 300,
  'tool-calls': 200,
}

const root = new URL('../../', import.meta.url).href
const sources = readdirSync(new URL(root), { withFileTypes: true })
  .filter(({ name }) => ['apps', 'eval', 'graphs', 'models', 'src', 'tools'].includes(name))
  .flatMap(({ name }) => readdirSync(new URL(name, root), { recursive: true }).map(path => `${root}${name}/${path}`))

describe('inputs changed at random are read or refused with an error of ours, within a second', () => {
  test('for every target', () => expect(Object.keys(executions)).toEqual(targetNames))

  test.each(targetNames)('each part of the pattern that guides %s names sources', async name => {
    const { guided } = await openTarget(name)
    for (const part of guided.source.replace(/\((.*?)\)/g, group => group.replaceAll('|', '#')).split('|')) {
      const pattern = new RegExp(part.replaceAll('#', '|'))
      expect(
        sources.filter(path => pattern.test(path)),
        part,
      ).not.toEqual([])
    }
  })

  test.each(Object.entries(executions))('%s', async (name, count) => {
    const target = await openTarget(name)
    const outcome = await fuzz(target, { seed: 20_261_122, executions: count })
    expect(outcome.findings.map(({ finding }) => finding)).toEqual([])
    expect(outcome.executions).toBeGreaterThanOrEqual(count)
    // Enough are whole enough to be read: refusing everything at its first byte would prove nothing.
    expect(outcome.read).toBeGreaterThan(count / 20)
  })
})
