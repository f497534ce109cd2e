import type { SightBrief } from '../../../../src/core/brief.ts'
import { type ChatModel, type ContentPart, textContent } from '../../../../src/core/chat.ts'
import { letterAt, optionLines } from '../../../metrics/choice/options.ts'
import { readReplyChoice } from '../../../metrics/choice/read-choice.ts'
import type { ItemInterval, SourceRecord } from '../../item.ts'
import { askForText } from './ask.ts'
import type { OrderedOptions } from './orders.ts'

// What is shown to a model that sees; what it says is kept in `replies`.
export interface ItemSight {
  model: ChatModel
  material: readonly ContentPart[]
  brief: SightBrief
  replies: (string | null)[]
  signal: AbortSignal
}

export async function saidTo(
  wanted: string,
  { model, material, brief, replies, signal }: ItemSight,
): Promise<string | null> {
  const content = [...material, ...textContent(wanted)]
  const replyText = await askForText(
    model,
    { purpose: 'look', messages: [{ role: 'user', content }], brief, temperature: 0, maxTokens: 256 },
    signal,
  )
  replies.push(replyText)
  return replyText
}

export async function isChosen(
  question: string,
  { options, right }: OrderedOptions,
  which: 'right' | 'most likely',
  sight: ItemSight,
): Promise<boolean> {
  const choicePrompt = `${question}\n${optionLines(options)}\n\nReply with only the letter of the ${which} option.`
  const choiceReply = await saidTo(choicePrompt, sight)
  return readReplyChoice(choiceReply, { count: options.length, texts: options }).letter === letterAt(right)
}

export interface PictureWork {
  images: ContentPart[]
  brief: SightBrief // when they are
}

export async function readItemPictures(
  { video_id, video }: Pick<SourceRecord, 'video_id' | 'video'>,
  times: readonly number[],
  frames: (times: readonly number[]) => Promise<Uint8Array[]>,
): Promise<PictureWork> {
  const pictures = await frames(times)
  return {
    images: pictures.map(jpeg => ({ type: 'image', jpeg })),
    brief: { kind: 'sight', video: { id: video_id, name: video }, task: 'look', pictures: times.map(time => [time]) },
  }
}

// So many moments evenly over these stretches together, each in the middle of its share.
export function spreadOver(spans: readonly ItemInterval[], count: number): number[] {
  const whole = spans.reduce((sum, [start, end]) => sum + Math.max(0, end - start), 0)
  if (whole === 0) return []
  return Array.from({ length: count }, (_, at) => {
    let secondsLeft = ((at + 0.5) * whole) / count
    for (const [start, end] of spans) {
      if (secondsLeft < end - start) return start + secondsLeft
      secondsLeft -= Math.max(0, end - start)
    }
    return spans.at(-1)?.[1] ?? 0
  })
}
