import type { ChatModel, ChatReply, ChatRequest } from '../../src/core/chat.ts'
import type { Frame, VideoIndex } from '../../src/core/video.ts'
import { encodeJpeg } from '../../src/media/image.ts'

// Grey frames, so that a test can tell of which second one is: a little lighter each second.
export function greyFrame(time: number, width = 64): Frame {
  return { time, width, height: 36, rgb: new Uint8Array(width * 36 * 3).fill(Math.min(255, Math.round(time))) }
}

// The same index with a kept frame every few seconds, in the shot that it lies in.
export function withStills(index: VideoIndex, every: number): VideoIndex {
  const count = Math.floor(index.video.duration / every)
  const stills = Array.from({ length: count }, (_, i) => {
    const time = (i + 0.5) * every
    const shot = index.shots.findIndex(({ start, end }) => time >= start && time < end)
    return { time, shot, reason: 'interval' as const, width: 64, height: 36, offset: 0, length: 1 }
  })
  return { ...index, stills, still: async at => encodeJpeg(greyFrame(stills[at]?.time ?? 0)) }
}

export interface SeeingModel extends ChatModel {
  requests: ChatRequest[]
}

// A scripted model that can be asked what it was shown.
export function seeingModel(reply: (request: ChatRequest, n: number) => Partial<ChatReply>): SeeingModel {
  const requests: ChatRequest[] = []
  return {
    id: 'chat/test/sees',
    accepts: new Set(['text', 'image']),
    requests,
    reply: async request => {
      requests.push(request)
      const made = reply(request, requests.length - 1)
      return { text: '', calls: [], stop: 'end', usage: { inputTokens: 1, outputTokens: 1 }, model: 'test', ...made }
    },
  }
}

export function imagesIn(request: ChatRequest | undefined): Uint8Array[] {
  return request?.messages.flatMap(one => one.content.flatMap(part => (part.type === 'image' ? [part.jpeg] : []))) ?? []
}

export function wordsIn(request: ChatRequest | undefined): string {
  const parts = request?.messages.flatMap(one => one.content) ?? []
  return parts.map(part => (part.type === 'text' ? part.text : '')).join('\n')
}

// The times of each picture of a plan request, as its brief says them.
export function timesShown(request: ChatRequest | undefined): number[][] {
  return (request?.brief as { pictures?: number[][] } | undefined)?.pictures ?? []
}
