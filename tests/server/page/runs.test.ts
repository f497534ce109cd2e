import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Job } from '../../../src/core/api/job.ts'
import { routes } from '../../../src/core/api/routes.ts'
import { smallData } from '../../bench/small-data.ts'
import { longtakeHere } from '../../end-to-end/longtake.ts'
import { indexedTown } from '../../end-to-end/town-video.ts'
import { chromiumPath, noChromium } from '../../support/chromium.ts'
import { type Serving, startServer } from '../serving.ts'
import {
  axeFaults,
  axeFaultsInBothSchemes,
  type Browsing,
  looks,
  openBrowser,
  overflow,
  waitForView,
} from './browser.ts'
import { copyRun, makeCrowd, poisoned } from './made-runs.ts'
import { payloads, ranTraces } from './payloads.ts'

// One server, one clip of half a minute and one question about it; every other run is a fork or a copy of that.

const folder = mkdtempSync(join(tmpdir(), 'longtake-page-runs-'))
const home = join(folder, 'home')
const question = 'When does the first tour start?'
const crowd = 5000
let server: Serving
let browsing: Browsing
let run = ''
let study = ''

const get = async (path: string): Promise<unknown> => {
  const { status, json } = await server.call('GET', path)
  expect(status, `${path} ${JSON.stringify(json)}`).toBe(200)
  return json
}
const placeOf = (page: Page) => page.locator('.scrubber .place').textContent()
const inAddress = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)

beforeAll(async () => {
  if (chromiumPath() === undefined) return
  await indexedTown(folder)
  const lines = '1\n00:00:12,500 --> 00:00:16,000\nThe first tour starts in the morning at ten.\n'
  writeFileSync(join(folder, 'town.srt'), lines)
  makeCrowd(home, crowd)
  const data = smallData(join(folder, 'data'))
  const quick = ['text', 'speech', 'sound'].flatMap(track => ['--base-set', `index.tracks.${track}=false`])
  const words = ['ablate', 'videoeval-pro', '--data', data, '--limit', '4', '--base', 'embedded']
  const { code, err } = await longtakeHere([...words, ...quick, '--without', 'verifier'], { home })
  expect(code, err).toBe(0)
  server = await startServer([folder], home)
  const { id } = routes.addVideo.reply.parse((await server.call('POST', '/videos', { path: 'town.mp4' })).json)
  const { job } = routes.ask.reply.parse((await server.call('POST', `/videos/${id}/ask`, { question })).json)
  const done = Job.parse(await get(`/jobs/${job}?wait=60`))
  expect(done.error).toBeUndefined()
  run = done.run ?? ''
  study = routes.reports.reply.parse(await get('/reports')).reports[0]?.report ?? ''
  browsing = await openBrowser(server)
})
afterAll(async () => {
  await browsing?.close()
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe.skipIf(chromiumPath() === undefined)(`the views of runs${noChromium}`, () => {
  test('5,000 runs come page after page, and are filtered at once', async () => {
    const { page, complaints } = await browsing.open('/runs')
    const rows = page.locator('.run-list li')
    await page.getByRole('link', { name: question }).waitFor()
    expect(await rows.count()).toBeLessThanOrEqual(200)
    while ((await rows.count()) < 1000) {
      await page.keyboard.press('End')
      await page.waitForTimeout(30)
    }
    const took: number[] = []
    for (const words of ['number 1234?', 'number 2345?', 'number 4321?']) {
      const began = performance.now()
      await page.locator('#runs-words').fill(words)
      await page.locator('.run-list li:only-child', { hasText: words }).waitFor()
      took.push(performance.now() - began)
    }
    expect(Math.min(...took)).toBeLessThan(1000) // what else the machine does is in the others
    expect(await page.locator('.run-list .name a').textContent()).toBe('Old question number 4321?')
    expect(inAddress(page, 'q')).toBe('number 4321?')
    await page.getByLabel('State').selectOption('failed')
    await page.getByText('No run matches').waitFor()
    expect(inAddress(page, 'state')).toBe('failed')
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByRole('link', { name: question }).waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('a run is scrubbed by mouse and by keys; what it knew is the state of that step', async () => {
    const { page, complaints } = await browsing.open(`/r/${run}`)
    const { steps, answer } = routes.run.reply.parse(await get(`/runs/${run}`))
    const last = steps.length
    const cited = new Set(answer?.answer.sentences.flatMap(({ cites }) => cites))
    const found = steps.findIndex(({ tools }) => tools.some(({ evidence }) => evidence.some(id => cited.has(id)))) + 1
    const slider = page.getByRole('slider', { name: 'Step' })
    await slider.waitFor()
    expect(found).toBeGreaterThan(0)
    expect(await placeOf(page)).toBe(`step ${found} of ${last}`) // that found what the answer cites
    await page.locator('.knowledge .row', { hasText: 'cited' }).first().waitFor()
    const box = await slider.boundingBox()
    await page.mouse.click((box?.x ?? 0) + 9, (box?.y ?? 0) + (box?.height ?? 0) / 2)
    expect(await placeOf(page)).toBe(`step 1 of ${last}`)
    expect(inAddress(page, 'step')).toBe('1')
    await page.getByText('The state as recorded').click()
    for (const { step, state, node, tools } of steps) {
      if (step > 1) await page.keyboard.press(step % 2 ? 'n' : 'ArrowRight')
      await page.locator(`.known[data-state="${state}"]`).waitFor()
      const { values } = routes.state.reply.parse(await get(`/runs/${run}/states/${state}`))
      expect(JSON.parse((await page.locator('.known > details pre').textContent()) ?? '')).toEqual(values)
      const ledger = values.evidence as { id: string }[]
      expect(await page.locator('.known > .row-list > .row').count()).toBe(ledger.length)
      expect(await page.locator('.knowledge .row.fresh').count()).toBe(steps[step - 1]?.fresh.length)
      expect(await page.getByRole('heading', { name: `This step: ${node}` }).count()).toBe(1)
      expect(await page.locator('.tool-call').count()).toBe(tools.length)
    }
    await page.keyboard.press('p')
    expect(await placeOf(page)).toBe(`step ${last - 1} of ${last}`)
    await slider.focus()
    await page.keyboard.press('Home')
    expect(await slider.getAttribute('aria-valuetext')).toBe(`step 1 of ${last}: ${steps[0]?.node}`)
    await page.locator('.film-steps button').nth(3).click()
    expect(inAddress(page, 'step')).toBe('4')
    await page.reload()
    await slider.waitFor()
    expect(await placeOf(page)).toBe(`step 4 of ${last}`)
    await page.locator('.recorded summary').first().click()
    await page.locator('.message.system').first().waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('a run shows what its helpers did, and what each of its votes said', async () => {
    const { steps } = routes.run.reply.parse(await get(`/runs/${run}`))
    const sent = steps.find(({ tools }) => tools.length > 0)
    const last = steps.at(-1)
    const { page, complaints } = await browsing.open('/health')
    const vote = { rounds: 1, confidence: 0.5, abstained: false, cites: [] }
    const votes = {
      runs: [
        { ...vote, plan: 'as asked', text: 'It costs 12 euro.' },
        { ...vote, plan: 'other tracks first', text: 'It costs <b>9</b> euro.', abstained: true },
      ],
      ...{ outcome: 'settled', taken: 0, reason: 'the rows of the first say so' },
    }
    await page.route(`**/api/runs/${run}`, async route => {
      const reply = await route.fetch()
      const film = routes.run.reply.parse(await reply.json())
      const withHelper = film.steps.map(one =>
        one.step === sent?.step ? { ...one, tools: one.tools.map(tool => ({ ...tool, helper: [tool, tool] })) } : one,
      )
      await route.fulfill({ response: reply, json: { ...film, steps: withHelper } })
    })
    await page.route(`**/api/runs/${run}/states/*`, async route => {
      const reply = await route.fetch()
      const state = routes.state.reply.parse(await reply.json())
      const values = { ...state.values, weighed: { ...(state.values.weighed as object | undefined), votes } }
      await route.fulfill({ response: reply, json: { ...state, values } })
    })
    await page.goto(`${server.origin}/r/${run}?step=${sent?.step}`)
    await page.locator('.film-steps').getByText('helper: 2 calls').first().waitFor()
    await page.locator('.helper summary', { hasText: '2 calls of the helper' }).first().click()
    await page
      .locator('.helper[open]', { hasText: sent?.tools[0]?.tool ?? '' })
      .first()
      .waitFor()
    await page.goto(`${server.origin}/r/${run}?step=${last?.step}`)
    await page.getByRole('heading', { name: 'Votes settled' }).waitFor()
    const said = await page.locator('.verdicts li').allTextContents()
    expect(said).toContain('takenIt costs 12 euro.as asked, confidence 50 %')
    expect(said).toContain('run 2It costs <b>9</b> euro.other tracks first, says that the video does not answer')
    await page.getByText('the rows of the first say so').waitFor()
    expect(await axeFaults(page)).toEqual([])
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('a fork begins in the page with another setting, and is set beside its run', async () => {
    const { page, complaints } = await browsing.open(`/r/${run}`)
    await page.getByRole('button', { name: 'Fork…' }).click()
    await page.getByLabel('Setting').fill('policy.verifier')
    await page.getByLabel('Value').fill('off')
    await page.getByRole('button', { name: 'Start the fork' }).click()
    await page.waitForURL(url => url.pathname.startsWith('/r/') && !url.pathname.endsWith(run))
    await page.getByRole('link', { name: 'compare the two' }).click()
    const [a, b] = [inAddress(page, 'a'), inAddress(page, 'b')]
    await page.getByRole('heading', { name: 'Steps side by side' }).waitFor()
    const wanted = routes.compare.reply.parse(await get(`/compare?a=${a}&b=${b}`))
    expect(wanted.settings.map(({ setting }) => setting)).toEqual(['policy.verifier'])
    expect(await page.locator('.settings tbody th').allTextContents()).toEqual(['policy.verifier'])
    expect(await page.locator('.aligned li').count()).toBe(wanted.steps.length)
    const sames = await page.locator('.sames').textContent()
    for (const same of ['same question', 'same video', 'same index', 'other settings']) expect(sames).toContain(same)
    if (wanted.divergence) {
      await page.getByRole('button', { name: 'Show it' }).click()
      const line = page.locator('.aligned li:focus')
      expect(await line.textContent()).toContain(wanted.divergence.kind)
    } else expect(await page.locator('.verdict-bar').textContent()).toContain('Both went alike')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('a run beside itself has no difference; two runs are chosen in the list', async () => {
    const { page, complaints, goTo } = await browsing.open(`/compare?a=${run}&b=${run}`)
    await page.getByText('Both sides are the same run, so nothing differs.').waitFor()
    expect(await page.locator('.aligned .differs, .aligned .first').count()).toBe(0)
    await goTo('/runs')
    const boxes = page.getByRole('checkbox')
    await boxes.nth(0).check()
    await boxes.nth(1).check()
    await page.getByRole('link', { name: 'Compare the two' }).click()
    await page.getByRole('heading', { name: 'Answers' }).waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('a killed run says so and goes on; a failed one says why', async () => {
    const killed = '20990101-000000-killed'
    copyRun(home, run, killed, (file, text) => {
      const lines = text.trimEnd().split('\n')
      if (file === 'trace.jsonl') return `${lines.slice(0, lines.length / 2).join('\n')}\n`
      return file === 'checkpoints.jsonl' ? `${lines.slice(0, lines.length / 2).join('\n')}\n` : text
    })
    rmSync(join(home, 'runs', killed, 'summary.json'))
    const failed = '20990101-000001-failed'
    const summary = JSON.stringify({ status: 'failed', error: 'The planner has left.' })
    copyRun(home, run, failed, (file, text) => (file === 'summary.json' ? summary : text))
    const { page, complaints, goTo } = await browsing.open(`/r/${failed}`)
    await page.getByText('Failed: The planner has left.').waitFor()
    await goTo(`/r/${killed}`)
    await page.getByText('Stopped before its end').waitFor()
    const before = await page.locator('.film-steps button').count()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.locator('.run-head .chip.good', { hasText: 'finished' }).waitFor()
    expect(await page.locator('.film-steps button').count()).toBeGreaterThan(before)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('no text of a run becomes more than a text', async () => {
    const bad = '20990101-000002-bad'
    let nr = 0
    const payload = () => [1, 2, 3].map(() => payloads[nr++ % payloads.length]).join(' ')
    copyRun(home, run, bad, (_, text) => poisoned(text, payload))
    const { page, complaints, goTo } = await browsing.open('/runs')
    const asked: string[] = []
    page.on('request', request => asked.push(request.url()))
    await page.locator('.run-list li').first().waitFor()
    for (const step of [1, 2, 3, 4, 5, 6, 7]) {
      await goTo(`/r/${bad}?step=${step}`)
      await page.locator('.known, .knowledge .dim').first().waitFor()
      for (const summary of await page.locator('.film-panels summary').all()) await summary.click()
    }
    await goTo(`/compare?a=${run}&b=${bad}`)
    await page.getByRole('heading', { name: 'Answers' }).waitFor()
    const badStudy = '20990101-000003-bad-study'
    const samples = new Set(['text', 'query', 'reference', 'reason'])
    copyRun(home, study, badStudy, (file, text) =>
      file.endsWith('samples.jsonl') ? poisoned(text, payload, samples) : text,
    )
    await goTo(`/reports/${badStudy}`)
    await page.locator('.matrix .cell').first().click()
    await page.locator('.opened article').first().waitFor()
    for (const summary of await page.locator('.opened summary').all()) await summary.click()
    expect(nr).toBeGreaterThan(payloads.length)
    expect(ranTraces(await page.evaluate('globalThis.ran'), asked)).toEqual([])
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('a report has its bars, its questions and what was asked under each configuration', async () => {
    const { page, complaints } = await browsing.open('/reports')
    await page.locator(`.report-list a[href$="${study}"]`).click()
    await page.getByRole('heading', { name: 'Questions' }).waitFor()
    const wanted = routes.report.reply.parse(await get(`/reports/${study}`))
    const cells = page.locator('.matrix .cell')
    expect(await cells.count()).toBe(wanted.questions.length * wanted.configurations.length)
    await page.getByRole('link', { name: 'Wrong', exact: true }).click()
    const wrong = wanted.questions.filter(({ cells }) => cells.some(({ state }) => state === 'wrong'))
    await expect.poll(() => page.locator('.matrix tbody tr').count()).toBe(wrong.length)
    expect(inAddress(page, 'show')).toBe('wrong')
    const [, changed] = wanted.configurations
    await page.locator('.configurations li').nth(1).locator('.scores a').first().click()
    expect(inAddress(page, 'in')).toBe(changed?.configuration)
    const own = wrong.filter(({ cells }) =>
      cells.some(({ configuration, state }) => configuration === changed?.configuration && state === 'wrong'),
    )
    await expect.poll(() => page.locator('.matrix tbody tr').count()).toBe(own.length)
    await page.getByRole('link', { name: 'All', exact: true }).click()
    await cells.nth(1).click()
    await page.locator('.opened article').first().waitFor()
    expect(inAddress(page, 'configuration')).toBe(changed?.configuration)
    expect(await page.locator('.opened article').count()).toBe(wanted.tasks.length)
    await page.getByRole('button', { name: 'Close the question' }).click()
    await page.getByRole('button', { name: 'Open the full report' }).click()
    await page.frameLocator('iframe').locator('h1').waitFor()
    expect(await page.locator('iframe').getAttribute('sandbox')).toBe('allow-scripts')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test.each(looks)('axe finds nothing in either scheme, and nothing is wider than the window: %o', async look => {
    const { page, complaints, goTo } = await browsing.open('/runs?q=first', look)
    for (const path of [
      ...['/runs?q=first', '/runs?q=none', `/r/${run}?step=3`, `/r/${run}`, '/r/none', '/compare'],
      ...[`/compare?a=${run}&b=${run}`, '/reports', `/reports/${study}`, `/reports/${study}?question=0`],
    ]) {
      await goTo(path)
      await waitForView(page)
      expect.soft(await axeFaultsInBothSchemes(page), path).toEqual([])
      expect.soft(await overflow(page), path).toBe(0)
    }
    expect(complaints.filter(said => !said.includes('404'))).toEqual([])
    await page.context().close()
  })
})
