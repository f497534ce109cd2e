import { z } from 'zod'

const page = z.number().int()
const Stretch = z.strictObject({
  title: z.string(),
  first: page,
  last: page,
  share: z.tuple([z.number(), z.number()]),
  content: z.string(),
})
export const Plots = z.strictObject({
  title: z.string(),
  genre: z.string(),
  first: page,
  last: page,
  plots: z.array(Stretch).max(60),
})
export const SubPlots = z.strictObject({ subplots: z.array(Stretch.extend({ plot: z.number().int() })).max(300) })
export type Plots = z.infer<typeof Plots>
export type Stretch = z.infer<typeof Stretch>
export type SubPlot = Stretch & { plot: number }

interface Pages {
  first: number
  last: number
}

const mostSkipped = 0.1 // of the pages: title pages before the film and credits after it

// Why plots cannot be used; undefined where they cover the film from its first page to its last.
export function plotsFault({ first, last, plots }: Plots, pages: Pages): string | undefined {
  if (first < pages.first || last > pages.last)
    return `the film is said to run from page ${first} to page ${last}, and there are pages ${pages.first} to ${pages.last}`
  if (last < first) return `the film is said to end on page ${last}, before it begins on page ${first}`
  const skipped = first - pages.first + pages.last - last
  if (skipped > Math.max(1, mostSkipped * (pages.last - pages.first + 1)))
    return `${skipped} pages belong to no part of the film: it is said to run from page ${first} to page ${last}`
  return coverFault(plots, { first, last }, 'plot', 'the film')
}

export function subPlotsFault({ subplots }: z.infer<typeof SubPlots>, plots: readonly Pages[]): string | undefined {
  const strange = subplots.find(({ plot }) => plot < 1 || plot > plots.length)
  if (strange) return `the sub-plot "${strange.title}" is of plot ${strange.plot}, and there are ${plots.length}`
  const back = subplots.findIndex(({ plot }, at) => at > 0 && plot < subplots[at - 1]!.plot)
  if (back > 0) return `the sub-plot "${subplots[back]?.title}" comes after those of a later plot`
  for (const [at, plot] of plots.entries()) {
    const own = subplots.filter(one => one.plot === at + 1)
    const fault = coverFault(own, plot, 'sub-plot', `plot ${at + 1}`)
    if (fault !== undefined) return fault
  }
}

function coverFault(parts: readonly Stretch[], whole: Pages, kind: string, name: string): string | undefined {
  if (parts.length === 0) return `${name} has no ${kind}`
  for (const [at, part] of parts.entries()) {
    const said = `${kind} ${at + 1} of ${name}`
    if (part.title.trim() === '' || part.content.trim() === '')
      return `${said} has no ${part.title.trim() === '' ? 'title' : 'content'}`
    if (part.last < part.first) return `${said} ends on page ${part.last}, before it begins on page ${part.first}`
    const before = parts[at - 1]
    if (!before && part.first !== whole.first)
      return `${said} begins on page ${part.first}, and ${name} on page ${whole.first}`
    if (before && part.first > before.last + 1)
      return `between ${kind} ${at} and ${kind} ${at + 1} of ${name} pages ${before.last + 1} to ${part.first - 1} are left out`
    if (before && part.first < before.last)
      return `${said} begins on page ${part.first}, before the end of the one before it on page ${before.last}`
  }
  const end = parts.at(-1)?.last
  if (end !== whole.last) return `the last ${kind} of ${name} ends on page ${end}, and ${name} on page ${whole.last}`
}

// The shares of a stretch as they are, whatever was said: to four decimals.
export function withShares<Part extends Stretch>(part: Part, { first, last }: Pages): Part {
  const share = (at: number) => Math.round((10_000 * (at - first)) / (last - first + 1)) / 10_000
  return { ...part, share: [share(part.first), share(part.last)] }
}
