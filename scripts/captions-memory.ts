import type { ChatModel } from '../src/core/chat.ts'
import { captionedStage, decodedVideo, plainCaption } from '../tests/support/captions.ts'

// How much memory the captions stage takes: npx tsx scripts/captions-memory.ts 10000
const count = Number(process.argv[2] ?? 1000)
const shots = Array.from({ length: count }, (_, at) => ({
  ...{ start: at * 5, end: at * 5 + 5 },
  stills: [{ time: at * 5, grey: at % 50 }],
}))
const model: ChatModel = {
  id: 'chat/scripted',
  accepts: new Set(['text', 'image']),
  atOnce: 4,
  async reply() {
    await new Promise(resolve => setTimeout(resolve, 1))
    const usage = { inputTokens: 1000, outputTokens: 150 }
    return { text: JSON.stringify(plainCaption), calls: [], stop: 'end', usage, model: 'scripted' }
  },
}
let most = 0
const watch = setInterval(() => {
  most = Math.max(most, process.memoryUsage().rss)
}, 20)
const made = await decodedVideo(shots, { width: 640, height: 360 })
const { rows } = await captionedStage(made, model)
clearInterval(watch)
await made.remove()
console.log(`${count} clips, ${rows.length} captions, ${Math.round(most / 1e6)} MB at most`)
