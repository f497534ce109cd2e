import { isAddress } from '../core/basics/address.ts'
import type { Fetched } from '../core/runtime.ts'
import type { Call } from './call.ts'
import { watching } from './output.ts'

// The videos that an argument names as files: what has an address is fetched first, once.
export async function localVideos(call: Call, given: string): Promise<string[]> {
  if (!isAddress(given)) return [given]
  const runtime = await call.runtime()
  const fetched: Fetched[] = await watching(call, watch =>
    runtime.videos.fetch(given, { watch, signal: call.signal, playlist: call.has('--playlist') }),
  )
  return fetched.map(({ path }) => path)
}

export async function localVideo(call: Call, given: string): Promise<string> {
  const [path = given] = await localVideos(call, given)
  return path
}
