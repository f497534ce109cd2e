import { createHash } from 'node:crypto'
import { flacToPcm } from '../../../media/flac.ts'

// Whether FLAC gives back just these bytes. An odd number of bytes, for one, has half a sample at its end.
export async function givesBack(
  flac: AsyncIterable<Uint8Array>,
  expected: { bytes: number; sha256: string },
  signal?: AbortSignal,
): Promise<boolean> {
  const hash = createHash('sha256')
  const decoded = flacToPcm(flac, piece => void hash.update(piece), signal)
  const came = await decoded.then(
    () => true,
    () => false,
  )
  signal?.throwIfAborted()
  return came && hash.digest('hex') === expected.sha256
}
