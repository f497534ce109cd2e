import { dirname } from 'node:path'
import { z } from 'zod'
import { Refused } from '../../../../../src/core/api/problem.ts'
import { formatMoment } from '../../../../../src/core/time.ts'
import { countPhrase } from '../../../../../src/core/words/counted.ts'
import { visibleFileName } from '../../../../../src/core/words/visible-text.ts'
import { videoEntry } from '../../../work/videos/video-view.ts'
import { defineMcpTool } from '../define-tool.ts'
import { hostMemory } from '../host-memory.ts'
import { newFiles } from '../new-files.ts'

const pageSize = 100

export const listVideosTool = defineMcpTool({
  name: 'list_videos',
  description:
    'The videos of the library (name, id, length, state), their folders, and new files that "index" takes. ready and partial can be read at once. A folder of several videos can be named as one video, on one clock.',
  input: z.object({
    query: z.string().max(300).optional().describe('part of the name'),
    page: z.number().int().min(1).default(1),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ query = '', page }, { signal, ...desk }) {
    const { place } = desk
    const { served } = place
    const fits = (text: string) => text.toLowerCase().includes(query.toLowerCase())
    const videos = (await hostMemory(desk, signal).videos()).filter(({ name }) => fits(name))
    const files = (await newFiles(place)).filter(fits)
    const all = [...videos, ...folderLines(videos), ...files.map(path => `new: ${visibleFileName(path)}`)]
    const pages = Math.max(1, Math.ceil(all.length / pageSize))
    if (page > pages)
      throw new Refused('usage', `There is no page ${page}: the last is ${pages}.`, 'Name an earlier page.')
    const some = all.slice((page - 1) * pageSize, page * pageSize)
    const lines = some.map(async one => {
      if (typeof one === 'string') return one
      const { id, name, duration, state } = await videoEntry(served, one)
      return `${visibleFileName(name)} (${id}) ${formatMoment(duration)} ${state}`
    })
    const remaining = all.length - page * pageSize
    const nextStep = () => {
      if (remaining > 0) return { next: `${remaining} more: page ${page + 1}.` }
      if (all.length === 0 && query !== '')
        return { next: `No name holds ${JSON.stringify(query)}: call it without "query".` }
      if (all.length === 0)
        return { next: 'No folder with videos is served: add one to the command that starts longtake.' }
      return files.length > 0 ? { next: 'Next: index a new file, or its folder.' } : {}
    }
    return {
      head: `${countPhrase(videos.length, 'video')}, ${countPhrase(files.length, 'new file')}.`,
      lines: await Promise.all(lines),
      ...nextStep(),
    }
  },
})

function folderLines(videos: readonly { path: string; duration: number }[]): string[] {
  const folders = new Set(videos.map(({ path }) => dirname(path)))
  return [...folders].flatMap(folder => {
    const inFolder = videos.filter(({ path }) => dirname(path) === folder)
    const duration = inFolder.reduce((sum, one) => sum + one.duration, 0)
    return inFolder.length < 2
      ? []
      : [`folder ${visibleFileName(folder)}: ${inFolder.length} videos, ${formatMoment(duration)}`]
  })
}
