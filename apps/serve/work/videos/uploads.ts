import { openUploads, type Uploads } from '../../../../src/store/serve/uploads.ts'

interface UploadSettings {
  gigabytes: number // one upload at most
  maxHours: number
}

const endings: Record<string, string> = { mov: 'mp4', matroska: 'mkv', mpegts: 'ts', mpeg: 'mpg', asf: 'wmv' }

// Uploads that were read as video or sound before they are kept.
export function checkedUploads(home: string, { gigabytes, maxHours }: UploadSettings): Uploads {
  return openUploads(home, {
    maxBytes: gigabytes * 1e9,
    async inspect(path) {
      const { probe } = await import('../../../../src/media/probe/probe.ts')
      const { container } = await probe(path, { maxHours })
      const [kind = ''] = /^[a-z0-9]{1,12}/.exec(container) ?? []
      return { ending: endings[kind] ?? (kind || 'media') }
    },
  })
}
