import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { routes } from '../../src/core/api/routes.ts'
import { smallData } from '../bench/small-data.ts'
import { longtakeHere } from '../end-to-end/longtake.ts'
import { chromiumPath, launchChromium, noChromium } from '../support/chromium.ts'
import { axeFaultsInBothSchemes, overflow } from './page/browser.ts'
import { type Serving, startServer } from './serving.ts'

// A benchmark run and a study of four questions about two videos of two seconds, as the command line makes them.

const folder = mkdtempSync(join(tmpdir(), 'longtake-reports-'))
const home = join(folder, 'home')
const quick = ['text', 'speech', 'sound'].map(track => `index.tracks.${track}=false`)
let server: Serving
let bench = ''
let study = ''

const get = async <Shape extends z.ZodType>(path: string, shape: Shape): Promise<z.output<Shape>> => {
  const { status, json } = await server.call('GET', path)
  expect(status, `${path} ${JSON.stringify(json)}`).toBe(200)
  return shape.parse(json)
}
const details = (report: string, query = '') => get(`/reports/${report}${query}`, routes.report.reply)

beforeAll(async () => {
  const data = smallData(join(folder, 'data'))
  const longtake = async (...args: string[]) => {
    const { code, err } = await longtakeHere([...args, 'videoeval-pro', '--data', data, '--limit', '4'], { home })
    expect(code, err).toBe(0)
  }
  await longtake('bench', 'run', ...quick.flatMap(setting => ['--set', setting]))
  const without = ['--base', 'embedded', '--without', 'verifier', ...quick.flatMap(one => ['--base-set', one])]
  await longtake('ablate', ...without)
  server = await startServer([], home)
  const { reports } = await get('/reports', routes.reports.reply)
  expect(reports.map(({ kind }) => kind)).toEqual(['ablate', 'bench'])
  ;[study = '', bench = ''] = reports.map(({ report }) => report)
})
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('the list says of each its score with interval and chance, how many questions, and the cost', async () => {
  const { reports } = await get('/reports', routes.reports.reply)
  for (const report of reports) {
    expect(report).toMatchObject({ benchmark: 'videoeval-pro', finished: true, samples: 4, done: 4 })
    const mcq = report.tasks.find(({ task }) => task === 'mcq')
    expect(mcq).toMatchObject({ n: 4, chance: 25, interval: 'questions alone' })
    expect(mcq?.low).toBeLessThanOrEqual(mcq?.mean ?? -1)
    expect(report.cost).toMatchObject({ questions: 8, tokens: 0 })
    expect(report.cost.calls).toBeGreaterThan(0)
  }
  expect(reports.map(({ configurations }) => configurations)).toEqual([2, 1])
})

test('one of them has its configurations, and how each question went under each', async () => {
  const { configurations, questions, found } = await details(study)
  expect(configurations.map(({ name }) => name)).toEqual(['base', 'without verifier'])
  expect(configurations[1]?.settings).toEqual(['policy.verifier: true, now false'])
  expect(configurations[1]?.differences.map(({ task, n }) => [task, n])).toEqual([
    ['open', 4],
    ['mcq', 4],
  ])
  expect(configurations.map(({ aim }) => aim)).toEqual([[], []]) // no place of an answer is known
  expect(found).toBe(4)
  expect(questions.map(({ cells }) => cells.map(({ run }) => run))).toEqual(
    Array(4).fill([`${study}/rows/base`, `${study}/rows/without-verifier`]),
  )
  const single = await details(bench)
  expect(single.questions[0]?.cells).toMatchObject([{ run: bench, scores: { mcq: expect.any(Number) } }])
  const wrong = single.questions.filter(({ cells }) => cells[0]?.state === 'wrong')
  expect((await details(bench, '?show=wrong')).questions).toEqual(wrong)
  expect((await details(bench, '?show=error')).found).toBe(0)
  expect((await server.call('GET', `/reports/${bench}?show=maybe`)).status).toBe(400)
})

test('a question opens with what was asked under each configuration, step by step', async () => {
  const [first] = (await details(study)).questions
  const path = `/reports/${study}/questions/${encodeURIComponent(first?.question ?? '')}`
  const { text, options, cells } = await get(path, routes.reportQuestion.reply)
  expect(text).toBe(first?.text)
  expect(options).toHaveLength(4)
  expect(cells).toHaveLength(2)
  for (const { asks } of cells) expect(asks.map(({ tasks }) => tasks)).toEqual([['open'], ['mcq']])
  expect((await server.call('GET', `/reports/${study}/questions/none`)).status).toBe(404)
  expect((await server.call('GET', '/reports/none/questions/0')).status).toBe(404)
})

test('the report as a page is behind its own signature, and in a sandbox of its own', async () => {
  for (const report of [bench, study]) {
    const { page = '' } = await details(report)
    const reply = await fetch(`${server.origin}${page}`)
    expect(reply.status).toBe(200)
    const policy = reply.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-/)
    expect(policy).toMatch(/frame-ancestors 'self'; sandbox allow-scripts$/)
    expect(policy).not.toMatch(/unsafe|allow-same-origin|connect-src/)
    expect(reply.headers.get('x-frame-options')).toBe('SAMEORIGIN')
    const [, , signature = ''] = page.split('/')
    for (const other of [
      page.replace(signature, `${signature.slice(0, -2)}xx`),
      page.replace(report, report === bench ? study : bench),
      page.replace('.html', ''),
      `/report/${signature}/..%2F${report}.html`,
    ])
      expect.soft((await fetch(`${server.origin}${other}`)).status, other).toBe(404)
  }
})

test.skipIf(!chromiumPath())(
  `the page of a report works in its sandbox and sees nothing of ours${noChromium}`,
  async () => {
    const browser = await launchChromium()
    try {
      const view = await browser.newPage()
      const asked: string[] = []
      const said: string[] = []
      view.on('request', request => asked.push(request.url()))
      view.on('console', message => said.push(message.text()))
      view.on('pageerror', error => said.push(error.message))
      const { page = '' } = await details(bench)
      await view.goto(`${server.origin}${page}`)
      expect(await view.locator('main h1').first().textContent()).toContain('videoeval-pro')
      await view.getByLabel('which samples').selectOption('wrong') // its own script runs
      expect(await view.locator('[aria-live]').textContent()).toMatch(/^\d+ of 4 samples/)
      expect(await view.evaluate<string>('origin')).toBe('null')
      expect(asked).toEqual([`${server.origin}${page}`])
      expect(said).toEqual([])
    } finally {
      await browser.close()
    }
  },
)

test.skipIf(!chromiumPath())(
  `reports and studies fit a phone and have no fault for axe, by day and night, with everything opened${noChromium}`,
  async () => {
    const browser = await launchChromium()
    try {
      for (const report of [bench, study]) {
        const view = await browser.newPage({ viewport: { width: 390, height: 844 } })
        await view.goto(`${server.origin}${(await details(report)).page}`)
        await view.evaluate('document.querySelectorAll("details").forEach(one => { one.open = true })')
        await view.locator('.facts, figure').first().waitFor()
        expect(await overflow(view)).toBe(0)
        expect(await axeFaultsInBothSchemes(view)).toEqual([])
        await view.close()
      }
    } finally {
      await browser.close()
    }
  },
)
