import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browsing } from '../../tests/server/page/browser.ts'
import { median } from './measure.ts'

export interface PageBytes {
  first: number // gzipped JavaScript and CSS of the library as it is opened
  all: number // of every view, without hls.js
  hls: number
}

// What the built page weighs, from its files: those that the opened library loads, and those that any view may load.
export function pageBytes(folder: string): PageBytes {
  const text = (name: string) => readFileSync(join(folder, name), 'utf8')
  const size = (names: Iterable<string>) =>
    [...names].reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0)
  const html = text('index.html')
  const entries = [...html.matchAll(/(?:src|href)="\/([\w.-]+\.(?:js|css))"/g)].map(([, name = '']) => name)
  const reach = (from: readonly string[], how: RegExp): Set<string> => {
    const seen = new Set(from)
    for (const name of seen)
      if (name.endsWith('.js')) for (const [, next = ''] of text(name).matchAll(how)) seen.add(next)
    return seen
  }
  const main = entries.find(name => name.endsWith('.js')) ?? ''
  const library = /import\("\.\/(library-\w+\.js)"\)/.exec(text(main))?.[1] ?? ''
  const first = reach([...entries, library], /(?:from|import)"\.\/([\w.-]+\.js)"/g)
  const every = reach(entries, /(?:from|import)\(?"\.\/([\w.-]+\.js)"/g)
  const isHls = (name: string) => name.startsWith('hls')
  return {
    first: size(first),
    all: size([...every].filter(name => !isHls(name))),
    hls: size([...every].filter(isHls)),
  }
}

export interface LibraryTimes {
  paint: number // milliseconds until something is seen
  listed: number // until every video is on the page
}

// The opened library, five times, each in a profile of its own; the medians.
export async function libraryTimes(browsing: Browsing, videos: number): Promise<LibraryTimes> {
  const paints: number[] = []
  const lists: number[] = []
  for (let time = 0; time < 5; time++) {
    const { page } = await browsing.open('/')
    lists.push(
      await page.evaluate(`new Promise(resolve => {
        const look = () => document.querySelectorAll('.card').length >= ${videos}
          ? resolve(performance.now()) : requestAnimationFrame(look)
        look()
      })`),
    )
    paints.push(await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0].startTime`))
    await page.context().close()
  }
  return { paint: median(paints), listed: median(lists) }
}
