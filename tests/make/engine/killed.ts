import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { drawFor } from '../../../src/core/basics/draws.ts'
import type { Ran } from '../../end-to-end/longtake.ts'

export interface Killable {
  make(words: string[], killOn?: AbortSignal): Promise<Ran>
  asked(): number // requests so far
  onAsk: { do(count: number): void }
}

// Makes a set that is killed so many times, each a little after one of its next requests (the `first` to the `last`), and is
// resumed. The last time nobody kills it.
export async function killedAndResumed(
  { make, asked, onAsk }: Killable,
  { begin, set, kills, first, last }: { begin: string[]; set: string; kills: number; first: number; last: number },
): Promise<{ killed: number; end: Ran }> {
  let [killed, words] = [0, begin]
  const random = drawFor(7, 'kills', basename(set))
  for (let round = 0; round < kills; round++) {
    const kill = new AbortController()
    const [from, wanted, late] = [asked(), first + Math.floor(random() * (last - first + 1)), random() * 30]
    onAsk.do = count => {
      if (count === from + wanted) void sleep(late).then(() => kill.abort())
    }
    const { code } = await make(words, kill.signal)
    if (code === null) killed++
    if (existsSync(join(set, 'made', 'request.json'))) words = ['--resume', set]
  }
  onAsk.do = () => {}
  return { killed, end: await make(words) }
}
