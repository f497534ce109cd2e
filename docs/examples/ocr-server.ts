import { z } from 'zod'
import { requestLimits } from '../../models/http/limits.ts'
import { readReplyJson } from '../../models/http/read-json.ts'
import { openServer } from '../../models/http/server.ts'
import type { Backend } from '../../src/core/backend.ts'
import type { TextLine, TextReader } from '../../src/core/services.ts'
import { encodeJpeg } from '../../src/media/image.ts'

const Settings = z.strictObject({ url: z.string().describe('address of the server'), limits: requestLimits })
const share = z.number().min(0).max(1)
const Read = z.object({
  lines: z.array(
    z.object({
      text: z.string(),
      confidence: share,
      box: z.object({ x: share, y: share, width: share, height: share }),
    }),
  ),
})

// Retries, deadlines, the circuit breaker and the sentences of errors are those of every server: `models/http`.
const ocrServer: Backend<TextReader, z.infer<typeof Settings>> = {
  summary: 'text on screen, read by a server that takes JPEG files',
  version: '1',
  reaches: 'network',
  settings: Settings,
  async open({ url, limits }, host) {
    const name = 'read-text/ocr-server'
    const server = openServer({ name, url, limits, start: 'Start the server, or correct readText.url.' }, host)
    return {
      async read(frames, signal) {
        const pages: TextLine[][] = []
        for (const frame of frames) {
          const jpeg = await encodeJpeg(frame)
          const type = { 'content-type': 'image/jpeg' }
          const page = await server.call(signal, async asking =>
            readReplyJson(await asking.post('/read', jpeg, type), Read),
          )
          pages.push(page.lines)
        }
        return pages
      },
      close: () => server.close(),
    }
  },
}

export default ocrServer
