import { z } from 'zod'
import { linkSignals } from '../../../src/core/basics/signals.ts'
import { Caption } from '../../../src/core/brief.ts'
import { addUsage, emptyUsage, Usage } from '../../../src/core/chat.ts'
import { UsageError } from '../../../src/core/errors.ts'
import { type Evidence, stamp } from '../../../src/core/evidence.ts'
import type { StageContext, StageReader } from '../../../src/core/stage.ts'
import { spanLength } from '../../../src/core/time.ts'
import type { Still } from '../../../src/core/video.ts'
import { encodeJpeg, resizeFrame } from '../../../src/media/image.ts'
import { openJournal } from '../journal.ts'
import { need, openStills, type StillFile, shotList, stillList } from '../results.ts'
import { askCaption, type CaptionOutcome, type Paying } from './ask-caption.ts'
import { budgetOfCaptions, openBudget } from './budget.ts'
import { byNovelty } from './by-novelty.ts'
import { captionRow } from './caption-row.ts'
import { type CaptionClip, cutCaptionClips } from './clips.ts'
import { captionFrameSize, expectCallCost } from './expected.ts'
import type { CaptionFrame } from './prompt.ts'
import { wordsMeanwhile } from './words-meanwhile.ts'

const runLength = 16 // clips

// Every clip is asked about once and told what its predecessor shows; runs of clips are asked side by side, as many as the server takes,
// and each begins without that. What was asked is in the journal, so that a run that was
// stopped, or whose server was lost, goes on with the clips that are missing.
export async function makeCaptions(context: StageContext<'vision'>): Promise<void> {
  const { video, out, signal, settings, progress } = context
  const decode = need(context.results.result('decode'))
  const clips = cutCaptionClips(await shotList(decode), await stillList(decode, context.keepsStill), settings.captions)
  const words = wordsMeanwhile(await context.results.rows())
  const { service, by } = await context.open()
  if (!service.accepts.has('image'))
    throw new UsageError(`Captions need a model that sees, and ${service.id} takes no images.`, {
      hint: 'Set models.vision to a model that does, or index.captions.mode=off.',
    })
  const budgeter = openBudget(budgetOfCaptions(settings), context.price)
  const earlier = await captionedBefore(await context.results.earlier('captions'))
  const journal = await openJournal<CaptionOutcome>(out.parts)
  const storedOutcome = (clip: CaptionClip) => journal.made(buildKey(clip))
  const file = await openStills(decode.path('stills.bin'))
  const expected = (clip: CaptionClip) => expectCallCost(clip, words(clip), service.id)
  const atOnce = service.atOnce ?? 1
  let last = Promise.resolve()
  let secondsDone = 0
  const passed = (clip: CaptionClip) => {
    secondsDone += spanLength(clip.span)
    progress(Math.min(secondsDone, video.duration), video.duration)
  }
  const places = new Map(clips.map((clip, at) => [clip, at]))
  const before = (clip: CaptionClip) => {
    const at = places.get(clip) ?? 0
    const last = at % runLength === 0 ? undefined : clips[at - 1]
    const { caption, times } = (last && storedOutcome(last)) ?? {}
    return last && caption && times ? { span: last.span, text: captionRow(last.span, times, caption).text } : undefined
  }
  const askAbout = async (clip: CaptionClip, paying: Paying, signal: AbortSignal) => {
    const frames = await Promise.all(clip.stills.map(still => shownFrame(still, file)))
    const clipContext = { video, span: clip.span, frames, rows: words(clip), before: before(clip) }
    return askCaption(service, clipContext, paying, signal)
  }
  try {
    for (const clip of clips) {
      const before = storedOutcome(clip)
      if (!before) continue
      budgeter.commit(emptyUsage, before.usage)
      passed(clip)
    }
    // In the order of a run that was never stopped.
    const runs = budgeter.isBound ? (await byNovelty(clips, file, signal)).map(clip => [clip]) : splitRuns(clips)
    await inTurns(runs, atOnce, signal, async (clip, signal) => {
      if (storedOutcome(clip)) return
      const paying = { budgeter, expected: expected(clip) }
      if (!budgeter.fits(paying.expected)) return
      const earlierOutcome = earlier.get(buildKey(clip))
      if (earlierOutcome) budgeter.commit(emptyUsage, earlierOutcome.usage) // within the budget too, so that the same settings give the same rows
      const outcome = earlierOutcome ?? (await askAbout(clip, paying, signal))
      if (!outcome) return
      last = last.then(() => journal.add([[buildKey(clip), outcome]])) // line after line
      await last
      passed(clip)
    })
    const expectedInput = clips.reduce((sum, clip) => sum + (storedOutcome(clip) ? expected(clip).inputTokens : 0), 0)
    await write(context, clips, storedOutcome, by, { expectedInput, atOnce })
  } finally {
    await journal.close()
    await file.close()
  }
}

async function write(
  { video, out }: StageContext<'vision'>,
  clips: readonly CaptionClip[],
  made: (clip: CaptionClip) => CaptionOutcome | undefined,
  by: string,
  told: { expectedInput: number; atOnce: number },
): Promise<void> {
  let usage: Usage = emptyUsage
  let bad = 0
  let notAsked = 0
  await out.lines('evidence.jsonl', rows())
  await out.lines('clips.jsonl', records())
  await out.json('usage.json', { clips: clips.length, bad, left: notAsked, ...usage, ...told })
  const of = (count: number) => `${count} of ${clips.length} clips`
  if (bad > 0) out.note(`${of(bad)} have no caption: the model gave no usable reply in three tries`)
  if (notAsked > 0) out.note(`${of(notAsked)} have no caption: index.captions.budget was spent`)

  function* rows(): Generator<Evidence> {
    for (const clip of clips) {
      const { caption, times } = made(clip) ?? {}
      if (caption && times) yield stamp(captionRow(clip.span, times, caption), video.id, by)
    }
  }
  function* records() {
    for (const clip of clips) {
      const outcome = made(clip)
      if (!outcome) notAsked++
      else if (!outcome.caption) bad++
      usage = addUsage(usage, outcome?.usage ?? {})
      yield { key: buildKey(clip), span: clip.span, ...(outcome ?? { fault: 'left out by index.captions.budget' }) }
    }
  }
}

const Captioned = z.object({ key: z.string(), times: z.array(z.number()), caption: Caption, usage: Usage })

// The clips that were captioned with another budget, or at another density, and are the same.
async function captionedBefore(results: readonly StageReader[]): Promise<Map<string, CaptionOutcome>> {
  const outcomes = new Map<string, CaptionOutcome>()
  for (const result of results)
    for (const line of await result.lines('clips.jsonl', z.unknown())) {
      const read = Captioned.safeParse(line).data
      if (read) outcomes.set(read.key, { times: read.times, caption: read.caption, usage: read.usage })
    }
  return outcomes
}

function buildKey({ span, stills }: CaptionClip): string {
  return `${span.start} ${span.end} ${stills.map(({ offset }) => offset).join(' ')}`
}

async function shownFrame(still: Still, file: StillFile): Promise<CaptionFrame> {
  const { width, height } = captionFrameSize(still)
  const small = await resizeFrame(await file.frame(still), width, height)
  return { time: still.time, jpeg: await encodeJpeg(small) }
}

function splitRuns(clips: readonly CaptionClip[]): CaptionClip[][] {
  return Array.from({ length: Math.ceil(clips.length / runLength) }, (_, at) =>
    clips.slice(at * runLength, (at + 1) * runLength),
  )
}

// Works on so many runs at a time, each begun as soon as one is over, and within one on item after item. Where one fails no further one begins, and those under way are
// stopped and waited for.
async function inTurns<Item>(
  runs: readonly (readonly Item[])[],
  atOnce: number,
  signal: AbortSignal,
  work: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = linkSignals(signal)
  const waiting = runs.values() // shared, so that each is taken once
  const worker = async () => {
    for (const run of waiting)
      for (const item of run) {
        stop.signal.throwIfAborted()
        await work(item, stop.signal)
      }
  }
  const workers = Array.from({ length: Math.min(atOnce, runs.length) }, async () => {
    try {
      await worker()
    } catch (error) {
      stop.abort(error) // the first reason stays
    }
  })
  await Promise.all(workers)
  stop.clear()
  stop.signal.throwIfAborted()
}
