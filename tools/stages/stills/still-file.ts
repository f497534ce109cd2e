import { open } from 'node:fs/promises'
import type { Frame, Still } from '../../../src/core/video.ts'
import { decodeImage } from '../../../src/media/image.ts'

export interface StillFile {
  jpeg(still: Still): Promise<Uint8Array>
  frame(still: Still): Promise<Frame>
  close(): Promise<void>
}

// The packed stills of the decode stage: one file, read by offset.
export async function openStills(path: string): Promise<StillFile> {
  const file = await open(path, 'r')
  const jpeg = async (still: Still) => {
    const bytes = new Uint8Array(still.length)
    await file.read(bytes, 0, still.length, still.offset)
    return bytes
  }
  return {
    jpeg,
    frame: async still => ({ ...(await decodeImage(await jpeg(still))), time: still.time }),
    close: () => file.close(),
  }
}
