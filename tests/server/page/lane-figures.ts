import type { Page } from 'playwright-core'

interface LaneFigures {
  rows: number
  bytes: number // of the lanes, as they were sent
  ready: number // milliseconds from the request of the lanes to their first frame
  draw: { p50: number; p95: number } // milliseconds of a frame's own work
  frame: { p50: number; p95: number } // milliseconds between frames while the lanes are zoomed and panned
}

const frames = 240

// Must be called before the page opens a video: what each frame takes is recorded from then on.
export async function watchFrames(page: Page): Promise<void> {
  await page.addInitScript(`
    globalThis.nextFrame = requestAnimationFrame.bind(globalThis)
    globalThis.drawn = []
    globalThis.requestAnimationFrame = work => globalThis.nextFrame(time => {
      const began = performance.now()
      work(time)
      globalThis.drawn.push([began, performance.now() - began])
    })`)
}

// The figures of the lanes of the video that the page shows, over so many frames of zoom in, pan and zoom out.
export async function laneFigures(page: Page): Promise<LaneFigures> {
  await page.locator('canvas[aria-busy=false]').waitFor()
  return page.evaluate(`(async () => {
    const canvas = document.querySelector('canvas')
    const next = () => new Promise(resolve => globalThis.nextFrame(resolve))
    await next()
    const sent = performance.getEntriesByType('resource').find(({ name }) => name.endsWith('/lanes'))
    const first = globalThis.drawn.find(([began]) => began > sent.responseEnd)
    const { left, top, width } = canvas.getBoundingClientRect()
    const wheel = (deltaX, deltaY, share) => canvas.dispatchEvent(new WheelEvent('wheel', {
      deltaX, deltaY, clientX: left + width * share, clientY: top + 40, bubbles: true, cancelable: true }))
    await next()
    const begun = globalThis.drawn.length
    const between = []
    let before = await next()
    for (let frame = 0; frame < ${frames}; frame++) {
      if (frame < 90) wheel(0, -40, 0.3)
      else if (frame < 150) wheel(30, 0, 0.3)
      else wheel(0, 40, 0.6)
      const time = await next()
      between.push(time - before)
      before = time
    }
    const figures = values => {
      const sorted = [...values].sort((a, b) => a - b)
      const at = share => Math.round(10 * sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]) / 10
      return { p50: at(0.5), p95: at(0.95) }
    }
    const counts = [...document.querySelectorAll('.lane-names .hidden-text')].map(({ textContent }) => textContent)
    return {
      rows: counts.reduce((sum, text) => sum + Number(text.replace(/[^0-9]/g, '')), 0),
      bytes: sent.decodedBodySize,
      ready: Math.round(first[0] + first[1] - sent.startTime),
      draw: figures(globalThis.drawn.slice(begun).map(([, took]) => took)),
      frame: figures(between),
    }
  })()`)
}
